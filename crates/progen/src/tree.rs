//! A program as a tree of text, so that parts of it can be taken out again: what the reducer works on.

/// A part of a program.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Node(Node),
}

/// What may become of a node when a program is made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only its parts count.
    Group,
    /// A declaration; may be left out.
    Member,
    /// May be left out, or replaced by the statements in it.
    Statement,
    /// May become the default value of its type, or an expression of the same type in it.
    Expression { ty: String, constant: bool },
}

impl Node {
    /// A node from a text with a `#` in the place of each child.
    pub fn new(kind: Kind, template: &str, children: Vec<Node>) -> Node {
        let mut parts = Vec::with_capacity(2 * children.len() + 1);
        let mut children = children.into_iter();
        for (index, text) in template.split('#').enumerate() {
            if index > 0 {
                parts.extend(children.next().map(Part::Node));
            }
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
        }
        debug_assert!(children.next().is_none(), "more children than places in {template}");
        Node { kind, parts }
    }

    pub fn group(nodes: Vec<Node>) -> Node {
        Node { kind: Kind::Group, parts: nodes.into_iter().map(Part::Node).collect() }
    }

    pub fn statement(template: &str, children: Vec<Node>) -> Node {
        Node::new(Kind::Statement, template, children)
    }

    pub fn member(template: &str, children: Vec<Node>) -> Node {
        Node::new(Kind::Member, template, children)
    }

    pub fn expression(ty: &str, template: &str, children: Vec<Node>) -> Node {
        Node::new(Kind::Expression { ty: ty.to_owned(), constant: false }, template, children)
    }

    pub fn constant(ty: &str, text: &str) -> Node {
        let parts = vec![Part::Text(text.to_owned())];
        Node { kind: Kind::Expression { ty: ty.to_owned(), constant: true }, parts }
    }

    pub fn is_constant(&self) -> bool {
        matches!(self.kind, Kind::Expression { constant: true, .. })
    }

    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    /// The nodes of the tree, this one included.
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// The text, one statement or member to a line, indented by its braces.
    pub fn render(&self) -> String {
        let mut raw = String::new();
        self.write(&mut raw);
        indent(&raw)
    }

    fn write(&self, out: &mut String) {
        let own_line = matches!(self.kind, Kind::Member | Kind::Statement);
        if own_line && !self.parts.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
            }
        }
        if own_line && !self.parts.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
    }
}

fn indent(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len() * 2);
    let mut depth = 0usize;
    for line in raw.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let closes = line.chars().take_while(|c| *c == '}').count();
        for _ in 0..depth.saturating_sub(closes) {
            text.push_str("    ");
        }
        text.push_str(line);
        text.push('\n');
        depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_its_children() {
        let one = Node::constant("int", "1");
        let sum = Node::expression("int", "(# + #)", vec![one.clone(), one]);
        let body = Node::statement("{ # }", vec![Node::statement("x = #;", vec![sum])]);
        assert_eq!(body.render(), "{\n    x = (1 + 1);\n}\n");
        assert_eq!(body.size(), 5);
    }
}

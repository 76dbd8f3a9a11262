//! SMT-LIB 2 text. Shared parts are named once (`let`, or `define-fun` in a script): text without sharing explodes.

use crate::node::{Binary, Node, Rounding, Symbol, Term, Unary};
use crate::store::Terms;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Parts nested deeper than this get a name, so that readers of the text need no deep stack.
const DEPTH: u32 = 24;

/// A text in which parts have been given names, in the order in which they must be defined.
struct Named {
    bindings: Vec<(String, Term, String)>,
    roots: Vec<String>,
}

impl Terms {
    /// The term as one SMT-LIB expression with `let`.
    pub fn display(&self, term: Term) -> String {
        let named = self.name_parts(&[term], false);
        let mut text = String::new();
        for (name, _, part) in &named.bindings {
            let _ = write!(text, "(let (({name} {part})) ");
        }
        named.roots.iter().for_each(|root| text.push_str(root));
        named.bindings.iter().for_each(|_| text.push(')'));
        text
    }

    /// The name a symbol has in SMT-LIB text: its own name, made unique.
    pub fn smt_name(&self, symbol: Symbol) -> String {
        let clean: String = self
            .symbol_name(symbol)
            .chars()
            .map(|c| if c.is_ascii_graphic() && c != '|' && c != '\\' { c } else { '_' })
            .collect();
        format!("|{clean}!{}|", symbol.index())
    }

    fn name_parts(&self, roots: &[Term], every: bool) -> Named {
        let (order, uses) = self.parts(roots);
        let mut texts: FxHashMap<Term, (String, u32)> = FxHashMap::default();
        let mut bindings = Vec::new();
        for term in order {
            let node = self.node(term);
            let mut depth = 0;
            let mut text = self.head(term);
            if node.children().next().is_some() {
                text.insert(0, '(');
                for child in node.children() {
                    let shared = uses[&child] > 1;
                    let part = if shared { texts.get(&child).cloned() } else { texts.remove(&child) };
                    let (part, below) = part.unwrap_or_default();
                    depth = depth.max(below + 1);
                    text.push(' ');
                    text.push_str(&part);
                }
                text.push(')');
            }
            if depth > 0 && (uses[&term] > 1 || depth > DEPTH || every) {
                let name = format!("?{}", term.index());
                bindings.push((name.clone(), term, std::mem::replace(&mut text, name)));
                depth = 0;
            }
            texts.insert(term, (text, depth));
        }
        let roots = roots.iter().map(|root| texts.get(root).cloned().unwrap_or_default().0).collect();
        Named { bindings, roots }
    }

    /// All parts, operands first, and how often each is used.
    fn parts(&self, roots: &[Term]) -> (Vec<Term>, FxHashMap<Term, u32>) {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut parts = BTreeSet::new();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            *uses.entry(term).or_default() += 1;
            // operands are older than what is made of them: the order of ids is a topological one
            if parts.insert(term) {
                stack.extend(self.node(term).children());
            }
        }
        (parts.into_iter().collect(), uses)
    }

    /// The operator with its indices, or the whole text of a leaf.
    fn head(&self, term: Term) -> String {
        match *self.node(term) {
            Node::Const(value) => value.to_string(),
            Node::Var(symbol) => self.smt_name(symbol),
            Node::Unary(op, _) => self.unary_head(op),
            Node::Binary(op, ..) => binary_head(op).to_owned(),
            Node::Ite(..) => "ite".to_owned(),
            Node::Fma(..) => "fp.fma".to_owned(),
            Node::Extract { hi, lo, .. } => format!("(_ extract {hi} {lo})"),
            Node::Extend { of, to, signed } => {
                let kind = if signed { "sign_extend" } else { "zero_extend" };
                format!("(_ {kind} {})", to - self.width(of))
            }
        }
    }

    fn unary_head(&self, op: Unary) -> String {
        match op {
            Unary::Not => "not".to_owned(),
            Unary::BvNot => "bvnot".to_owned(),
            Unary::Neg => "bvneg".to_owned(),
            Unary::BitsToFp => "fp.of_bits".to_owned(),
            Unary::FpToBits => "fp.bits".to_owned(),
            Unary::FpSqrt => "fp.sqrt".to_owned(),
            Unary::FpRound(Rounding::NearestEven) => "fp.round RNE".to_owned(),
            Unary::FpRound(Rounding::NearestAway) => "fp.round RNA".to_owned(),
            Unary::FpRound(Rounding::TowardZero) => "fp.round RTZ".to_owned(),
            Unary::FpRound(Rounding::Down) => "fp.round RTN".to_owned(),
            Unary::FpRound(Rounding::Up) => "fp.round RTP".to_owned(),
            Unary::FpToFp(to) => format!("(_ fp.to_fp {})", to.bits()),
            Unary::SignedToFp(to) => format!("(_ fp.of_signed {})", to.bits()),
            Unary::UnsignedToFp(to) => format!("(_ fp.of_unsigned {})", to.bits()),
            Unary::FpToSigned(width) => format!("(_ fp.to_signed {width})"),
            Unary::FpToUnsigned(width) => format!("(_ fp.to_unsigned {width})"),
        }
    }
}

fn binary_head(op: Binary) -> &'static str {
    match op {
        Binary::And => "and",
        Binary::Eq => "=",
        Binary::Add => "bvadd",
        Binary::Mul => "bvmul",
        Binary::Udiv => "bvudiv",
        Binary::Urem => "bvurem",
        Binary::Sdiv => "bvsdiv",
        Binary::Srem => "bvsrem",
        Binary::BvAnd => "bvand",
        Binary::BvOr => "bvor",
        Binary::BvXor => "bvxor",
        Binary::Shl => "bvshl",
        Binary::Lshr => "bvlshr",
        Binary::Ashr => "bvashr",
        Binary::Ult => "bvult",
        Binary::Slt => "bvslt",
        Binary::UmulOverflows => "bvumulo",
        Binary::SmulOverflows => "bvsmulo",
        Binary::Concat => "concat",
        Binary::FpAdd => "fp.add",
        Binary::FpSub => "fp.sub",
        Binary::FpMul => "fp.mul",
        Binary::FpDiv => "fp.div",
        Binary::FpRem => "fp.fmod",
        Binary::FpEq => "fp.eq",
        Binary::FpLt => "fp.lt",
        Binary::FpLe => "fp.leq",
    }
}

/// An SMT-LIB script that asks whether some terms can hold together.
pub struct Script {
    /// Definitions and declarations, then one `assert` per term.
    pub text: String,
    /// The declared symbols.
    pub symbols: Vec<Symbol>,
}

impl Terms {
    /// Declarations and assertions of a conjunction, without `check-sat`; `None` if it has float operators, for whose NaN
    /// bits SMT-LIB has no words.
    pub fn script(&self, conjuncts: &[Term]) -> Option<Script> {
        let (parts, _) = self.parts(conjuncts);
        let mut text = String::new();
        let mut symbols = BTreeSet::new();
        for &part in &parts {
            if self.is_float_operator(part) {
                return None;
            }
            symbols.extend(self.symbols_of(part).iter().copied());
        }
        for &symbol in &symbols {
            let _ = writeln!(text, "(declare-fun {} () {})", self.smt_name(symbol), self.symbol_sort(symbol));
        }
        let named = self.name_parts(conjuncts, false);
        for (name, term, part) in &named.bindings {
            let _ = writeln!(text, "(define-fun {name} () {} {part})", self.sort(*term));
        }
        for root in &named.roots {
            let _ = writeln!(text, "(assert {root})");
        }
        Some(Script { text, symbols: symbols.into_iter().collect() })
    }

    fn is_float_operator(&self, term: Term) -> bool {
        use crate::sort::Sort;
        match *self.node(term) {
            Node::Const(_) | Node::Var(_) | Node::Ite(..) => false,
            Node::Unary(Unary::BitsToFp | Unary::FpToBits, _) => true,
            ref node => {
                node.children().any(|child| matches!(self.sort(child), Sort::Float(_)))
                    || matches!(self.sort(term), Sort::Float(_))
            }
        }
    }
}

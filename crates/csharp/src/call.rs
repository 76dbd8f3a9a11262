//! The call under test as an expression.

use crate::identifier;
use crate::literal::Wanted;
use crate::test::{Place, TestWriter, Written};
use crate::value::{creation, operand};
use case::construct::filled_in;
use case::type_facts::{MethodKind, TypeKind};
use case::type_name::TypeName;
use case::{Consume, Mode, Outcome, Parameter, Value};

pub struct Call {
    pub text: String,
    /// It can stand alone as a statement.
    pub is_statement: bool,
    /// Frameworks have their own words for lambdas that give a task.
    pub is_task: bool,
}

impl Call {
    /// The body of a lambda that makes the call and drops the result.
    pub fn lambda(&self) -> String {
        let text = if self.is_statement { self.text.clone() } else { format!("_ = {}", self.text) };
        if self.is_task { format!("() => {{ {text}; }}") } else { format!("() => {text}") }
    }
}

impl TestWriter<'_> {
    pub(super) fn call(&mut self, throws: bool) -> Written<Call> {
        if self.case.method.is_initializer() {
            return self.initialization();
        }
        match self.why_not_direct() {
            None => {
                let ty = &self.case.method.returns;
                let is_task =
                    ["System.Threading.Tasks.Task", "System.Threading.Tasks.ValueTask"].iter().any(|task| {
                        ty.strip_prefix(task).is_some_and(|rest| rest.is_empty() || rest.starts_with('`'))
                    });
                Ok(Call { is_task, ..self.direct(throws)? })
            }
            Some(why) => {
                self.note_reflection(why);
                self.by_reflection()
            }
        }
    }

    /// Makes the runtime run a static constructor, if it has not yet.
    fn initialization(&mut self) -> Written<Call> {
        let ty = self.type_expression(&self.case.method.ty)?;
        let helpers = self.scope.known("System.Runtime.CompilerServices.RuntimeHelpers");
        let text = format!("{helpers}.RunClassConstructor({ty}.TypeHandle)");
        Ok(Call { text, is_statement: true, is_task: false })
    }

    /// Why the method cannot be called in plain C#, if so.
    fn why_not_direct(&self) -> Option<String> {
        let method = &self.case.method;
        if self.through_interface().is_some() {
            return None;
        }
        if !self.method.public {
            return Some(format!("{} is not public", shown(&method.name)));
        }
        let types =
            method.parameters.iter().map(|p| &p.ty).chain([&method.ty]).chain(&method.generic_arguments);
        for ty in types {
            if self.public_name(ty).is_none() {
                return Some(format!("{ty} is not public"));
            }
        }
        if method.is_constructor() && self.leaves_required() && self.required_as_left().is_none() {
            return Some(format!("{} has required members", method.ty));
        }
        match &self.method.kind {
            MethodKind::Setter { init: true, .. } if self.initialised().is_none() => {
                Some(format!("{} can only be initialised", shown(&method.name)))
            }
            MethodKind::Operator if operator(&method.name).is_none() => {
                Some(format!("{} has no plain form in C#", method.name))
            }
            MethodKind::Ordinary
                if !method.is_constructor() && identifier::written(&method.name).is_none() =>
            {
                Some(format!("`{}` cannot be written", method.name))
            }
            _ => None,
        }
    }

    /// An initialiser that C# asks for would change what the constructor made.
    pub(super) fn leaves_required(&self) -> bool {
        let method = &self.case.method;
        let info = self.info_of(&method.ty);
        let sets = info.constructors.iter().filter(|c| c.sets_required).any(|c| {
            let types = c.parameters.iter().map(|parameter| filled_in(&parameter.ty, &method.ty));
            types.eq(method.parameters.iter().map(|parameter| parameter.ty.clone()))
        });
        !sets && info.members.iter().any(|member| member.required)
    }

    fn direct(&mut self, throws: bool) -> Written<Call> {
        self.scope.warned(&self.method.diagnostics);
        if let Some((id, way)) = self.initialised() {
            return self.initialisation(id, &way);
        }
        let receiver = self.receiver()?;
        let mut arguments = Vec::new();
        for (index, parameter) in self.case.method.parameters.iter().enumerate() {
            arguments.push(self.argument(index, parameter, throws)?);
        }
        let method = &self.case.method;
        if method.is_constructor() {
            let ty = self.public_name(&method.ty).unwrap_or_default();
            let left = if self.leaves_required() { self.required_assignments()? } else { Vec::new() };
            let text = creation(&ty, &arguments, &left);
            return Ok(Call { text, is_statement: true, is_task: false });
        }
        if let Some((interface, name)) = self.through_interface() {
            return self.called_through(&interface, &name, &receiver, arguments);
        }
        Ok(match self.method.kind.clone() {
            MethodKind::Getter { indexer: true, .. } => Call {
                text: format!("{receiver}[{}]", arguments.join(", ")),
                is_statement: false,
                is_task: false,
            },
            MethodKind::Getter { property, .. } => Call {
                text: format!("{receiver}.{}", member(&property)?),
                is_statement: false,
                is_task: false,
            },
            MethodKind::Setter { property, indexer, .. } => {
                let value = arguments.pop().ok_or("a setter without a value")?;
                let target = match indexer {
                    true => format!("{receiver}[{}]", arguments.join(", ")),
                    false => format!("{receiver}.{}", member(&property)?),
                };
                Call { text: format!("{target} = {value}"), is_statement: true, is_task: false }
            }
            MethodKind::Operator => self.operator_call(&arguments)?,
            MethodKind::EventAccessor => {
                let handler = arguments.pop().ok_or("an event without a handler")?;
                let text = match (method.name.strip_prefix("add_"), method.name.strip_prefix("remove_")) {
                    (Some(event), _) => format!("{receiver}.{} += {handler}", member(event)?),
                    (_, Some(event)) => format!("{receiver}.{} -= {handler}", member(event)?),
                    _ => return Err(format!("{} cannot be written", method.name)),
                };
                Call { text, is_statement: true, is_task: false }
            }
            MethodKind::Ordinary => {
                let generics: Vec<String> =
                    method.generic_arguments.iter().filter_map(|a| self.public_name(a)).collect();
                let generics =
                    if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
                let text =
                    format!("{receiver}.{}{generics}({})", member(&method.name)?, arguments.join(", "));
                Call { text, is_statement: true, is_task: false }
            }
        })
    }

    fn operator_call(&self, arguments: &[String]) -> Written<Call> {
        let method = &self.case.method;
        let text = match (operator(&method.name), arguments) {
            (Some(Operator::Binary(sign)), [a, b]) => format!("{} {sign} {}", operand(a), operand(b)),
            (Some(Operator::Unary(sign)), [a]) => format!("{sign}{}", operand(a)),
            (Some(Operator::Conversion), [a]) => {
                let target = self.public_name(&method.returns).ok_or("the result is not public")?;
                format!("({target}){}", operand(a))
            }
            _ => return Err(format!("{} has the wrong number of operands", method.name)),
        };
        Ok(Call { text, is_statement: false, is_task: false })
    }

    /// The expression before the dot.
    fn receiver(&mut self) -> Written<String> {
        let method = &self.case.method;
        let owner = TypeName::parse(&method.ty).ok_or_else(|| format!("`{}` is no type name", method.ty))?;
        let Some(this) = &self.case.this else {
            return Ok(self.public_name(&method.ty).unwrap_or_default());
        };
        let local = self.receiver_local(this, &owner, "var")?;
        let is_interface = self.type_info(&owner).is_some_and(|info| info.kind == TypeKind::Interface);
        match self.public_name(&method.ty) {
            Some(name) if is_interface || self.means_another(this) => Ok(format!("(({name}){local})")),
            _ => Ok(local),
        }
    }

    /// Whether the method must be called on its own type: the compiler sees the receiver as something else, where the name
    /// means nothing or another method.
    fn means_another(&self, this: &Value) -> bool {
        let method = &self.case.method;
        match self.static_type(this) {
            Some(seen) if seen == method.ty => false,
            Some(seen) if seen == "System.Object" => true,
            Some(seen) => {
                let definition = TypeName::parse(&seen).map(|name| name.definition());
                definition.is_some_and(|definition| self.surroundings.hides(&definition, method))
            }
            None => false,
        }
    }

    fn receiver_local(&mut self, this: &Value, owner: &TypeName, declared: &str) -> Written<String> {
        let hint = match this {
            Value::Object(id) => match self.case.object(*id).map(|object| &object.kind) {
                Some(case::ObjectKind::Object(instance)) => {
                    TypeName::parse(&instance.ty).map(|name| name.simple().to_owned())
                }
                _ => None,
            },
            _ => None,
        };
        let hint = hint.unwrap_or_else(|| owner.simple().to_owned());
        let text = self.value(this, &self.case.method.ty, Wanted::Exact, &hint)?;
        if matches!(this, Value::Object(id) if self.objects.contains_key(id)) {
            let text = operand(&text);
            self.receiver = Some(text.clone());
            return Ok(text);
        }
        // A struct must be a variable: the call may change it.
        let local = self.fresh(&hint);
        self.arrange.push(format!("{declared} {local} = {text};"));
        self.receiver = Some(local.clone());
        Ok(local)
    }

    fn argument(&mut self, index: usize, parameter: &Parameter, throws: bool) -> Written<String> {
        let value = self.case.arguments.get(index).ok_or("the case has too few arguments")?;
        // Nothing but the types of its operands says which operator is meant: `null + 1` is an `int?`.
        let exact = self.method.overloaded || matches!(self.method.kind, MethodKind::Operator);
        let wanted = if exact { Wanted::Exact } else { Wanted::Converted };
        match parameter.mode {
            Mode::Value | Mode::In => {
                if let Some(name) =
                    self.parameter(Place::Argument(index), value, &parameter.ty, &parameter.name)
                {
                    return Ok(name);
                }
                self.fitting(value, &parameter.ty, wanted, &parameter.name)
            }
            Mode::Ref => {
                let ty = self.public_name(&parameter.ty).unwrap_or_else(|| "var".to_owned());
                let text = self.value(value, &parameter.ty, Wanted::Converted, &parameter.name)?;
                let local = self.fresh(&parameter.name);
                self.arrange.push(format!("{ty} {local} = {text};"));
                self.by_ref.push((index, local.clone()));
                Ok(format!("ref {local}"))
            }
            Mode::Out if throws => Ok("out _".to_owned()),
            Mode::Out => {
                let ty = self.public_name(&parameter.ty).unwrap_or_else(|| "var".to_owned());
                let local = self.fresh(&parameter.name);
                self.by_ref.push((index, local.clone()));
                Ok(format!("out {ty} {local}"))
            }
        }
    }

    fn by_reflection(&mut self) -> Written<Call> {
        let method = &self.case.method;
        let owner = TypeName::parse(&method.ty).ok_or_else(|| format!("`{}` is no type name", method.ty))?;
        let is_span = |ty: &str| ty.starts_with("System.Span`1") || ty.starts_with("System.ReadOnlySpan`1");
        if method.parameters.iter().any(|p| is_span(&p.ty)) || is_span(&method.returns) {
            return Err(format!("{} is not public, and reflection cannot pass spans", shown(&method.name)));
        }
        let target = match &self.case.this {
            // Boxed once, so that what the call changes can be seen.
            Some(this) => self.receiver_local(this, &owner, "object")?,
            None => "null".to_owned(),
        };
        let mut types = Vec::new();
        let mut arguments = Vec::new();
        for (parameter, value) in method.parameters.iter().zip(&self.case.arguments) {
            let by_ref = if parameter.mode.is_by_ref() { ".MakeByRefType()" } else { "" };
            types.push(format!("{}{by_ref}", self.type_expression(&parameter.ty)?));
            arguments.push(self.value(value, &parameter.ty, Wanted::Exact, &parameter.name)?);
        }
        let owner = self.type_expression(&method.ty)?;
        let types = self.array_of("System.Type", &types);
        let arguments = self.array_of("System.Object", &arguments);
        let arguments = if method.parameters.iter().any(|p| p.mode.is_by_ref()) {
            let local = self.fresh("arguments");
            self.arrange.push(format!("var {local} = {arguments};"));
            // A call that throws leaves the array as it was.
            if !matches!(self.case.expect.outcome, Outcome::Throws(_)) {
                self.read_back(&local);
            }
            local
        } else {
            arguments
        };
        let mut generics = Vec::new();
        for argument in &method.generic_arguments {
            generics.push(self.type_expression(argument)?);
        }
        let generics = if generics.is_empty() {
            String::new()
        } else {
            format!(", {}", self.array_of("System.Type", &generics))
        };
        let name = &method.name;
        let mut text =
            format!("Reflected.Call({owner}, \"{name}\", {types}, {target}, {arguments}{generics})");
        let result = match &self.case.expect.outcome {
            _ if self.case.consume == Some(Consume::Await) => {
                let returns = &method.returns;
                Some(self.public_name(returns).ok_or_else(|| format!("{returns} is not public"))?)
            }
            _ if self.case.consume.is_some() => self.public_name(&method.returns),
            Outcome::Returns(_) => self.public_name(&method.returns),
            Outcome::Void if method.is_constructor() => self.public_name(&method.ty),
            Outcome::Void | Outcome::Returned | Outcome::Throws(_) => None,
        };
        if let Some(result) = result {
            text = format!("({result}){text}");
            return Ok(Call { text, is_statement: false, is_task: false });
        }
        Ok(Call { text, is_statement: true, is_task: false })
    }

    /// By-ref arguments of a reflected call come back in the array.
    fn read_back(&mut self, local: &str) {
        for (index, parameter) in self.case.method.parameters.iter().enumerate() {
            if parameter.mode.is_by_ref() {
                let element = format!("{local}[{index}]");
                let text = match self.public_name(&parameter.ty) {
                    Some(ty) => format!("({ty}){element}"),
                    None => element,
                };
                self.by_ref.push((index, text));
            }
        }
    }

    fn array_of(&self, ty: &str, items: &[String]) -> String {
        let ty = self.scope.known(ty);
        if items.is_empty() {
            format!("new {ty}[0]")
        } else {
            format!("new {ty}[] {{ {} }}", items.join(", "))
        }
    }
}

enum Operator {
    Unary(&'static str),
    Binary(&'static str),
    Conversion,
}

/// The operators that can be written so that exactly they are called.
fn operator(name: &str) -> Option<Operator> {
    Some(match name {
        "op_Addition" => Operator::Binary("+"),
        "op_Subtraction" => Operator::Binary("-"),
        "op_Multiply" => Operator::Binary("*"),
        "op_Division" => Operator::Binary("/"),
        "op_Modulus" => Operator::Binary("%"),
        "op_BitwiseAnd" => Operator::Binary("&"),
        "op_BitwiseOr" => Operator::Binary("|"),
        "op_ExclusiveOr" => Operator::Binary("^"),
        "op_LeftShift" => Operator::Binary("<<"),
        "op_RightShift" => Operator::Binary(">>"),
        "op_Equality" => Operator::Binary("=="),
        "op_Inequality" => Operator::Binary("!="),
        "op_LessThan" => Operator::Binary("<"),
        "op_GreaterThan" => Operator::Binary(">"),
        "op_LessThanOrEqual" => Operator::Binary("<="),
        "op_GreaterThanOrEqual" => Operator::Binary(">="),
        "op_UnaryNegation" => Operator::Unary("-"),
        "op_UnaryPlus" => Operator::Unary("+"),
        "op_LogicalNot" => Operator::Unary("!"),
        "op_OnesComplement" => Operator::Unary("~"),
        "op_Implicit" | "op_Explicit" => Operator::Conversion,
        _ => return None,
    })
}

pub fn member(name: &str) -> Written<String> {
    identifier::written(name).ok_or_else(|| format!("`{name}` cannot be written"))
}

fn shown(name: &str) -> &str {
    if name == ".ctor" { "the constructor" } else { name }
}

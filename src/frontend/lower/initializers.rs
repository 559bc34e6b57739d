//! Initialisers: the assignments that give a variable its first value (C11 6.7.9).
//!
//! A list first makes everything zero and then assigns what it names, in order. Where inner braces are left out, the
//! elements are taken from the list one after another, as C prescribes.

use lang_c::ast;
use lang_c::span::Node;

use super::Lowering;
use super::literals::characters;
use crate::error::Result;
use crate::program::{Expr, IntKind, Length, Place, Projection, Step, Stride, Type};

/// An array longer than this is not initialised element by element.
const MAX_ELEMENTS: u64 = 1 << 16;

type Items<'i> = std::iter::Peekable<std::slice::Iter<'i, Node<ast::InitializerListItem>>>;

impl Lowering<'_> {
    /// An array whose length its initialiser gives: `int a[] = {1, 2}`.
    pub(super) fn completed<'i>(
        &mut self,
        ty: Type,
        initializer: Option<&'i Node<ast::Initializer>>,
    ) -> Result<(Type, Option<&'i Node<ast::Initializer>>)> {
        let (Type::Array(element, Length::Unknown), Some(initializer)) = (ty.plain(), initializer) else {
            return Ok((ty, initializer));
        };
        let length = if let Some(bytes) = self.string_initializer(element, initializer)? {
            Some(bytes.len() as u64)
        } else if let ast::Initializer::List(items) = &initializer.node {
            Some(self.list_length(element, items)?)
        } else {
            None
        };
        let completed = match length {
            Some(length) => Type::Array(element.clone(), Length::Fixed(length)).qualified(ty.qualifiers()),
            None => ty,
        };
        Ok((completed, Some(initializer)))
    }

    /// How many elements a list gives an array.
    fn list_length(&mut self, element: &Type, items: &[Node<ast::InitializerListItem>]) -> Result<u64> {
        let mut rest = items.iter().peekable();
        let (mut position, mut length) = (0u64, 0u64);
        while let Some(item) = rest.peek() {
            match item.node.designation.first().map(|designator| &designator.node) {
                Some(ast::Designator::Index(index)) => position = self.position(index)?,
                Some(ast::Designator::Range(range)) => position = self.position(&range.node.to)?,
                _ => {}
            }
            // The values do not matter here, only how many items an element takes.
            let before = self.variables.len();
            let scratch = self.temporary_place(element);
            self.element(&scratch, &mut rest, &mut Vec::new())?;
            self.variables.truncate(before.max(self.first_kept()));
            position += 1;
            length = length.max(position);
        }
        Ok(length)
    }

    /// Literals that were met stay; temporaries behind them may go.
    fn first_kept(&self) -> usize {
        self.strings.values().map(|variable| variable.index() + 1).max().unwrap_or(0)
    }

    fn position(&mut self, index: &Node<ast::Expression>) -> Result<u64> {
        let value = self.constant(index)?;
        match u64::try_from(value) {
            Ok(position) if position < MAX_ELEMENTS => Ok(position),
            _ => Err(self.unsupported(index.span, "an index of this size in an initialiser", "")),
        }
    }

    /// The steps that initialise a place.
    pub(super) fn initialize(
        &mut self,
        place: &Place,
        initializer: &Node<ast::Initializer>,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        match (place.ty.plain(), &initializer.node) {
            (Type::Array(element, length), _) => {
                if let Some(bytes) = self.string_initializer(element, initializer)? {
                    self.fill_with_string(place, *length, &bytes, steps);
                    return Ok(());
                }
                let ast::Initializer::List(items) = &initializer.node else {
                    return Err(self.invalid(initializer.span, "an array needs a list of values", ""));
                };
                self.zero(place, steps);
                self.list(place, items, steps)
            }
            (Type::Record(_), ast::Initializer::List(items)) => {
                self.zero(place, steps);
                self.list(place, items, steps)
            }
            (Type::Record(_), ast::Initializer::Expression(expression)) => {
                let from = self.aggregate(expression, steps)?;
                steps.push(Step::Copy(place.clone(), from));
                Ok(())
            }
            (_, ast::Initializer::Expression(expression)) => {
                let value = self.assigned(expression, &place.ty, steps)?;
                steps.push(Step::Assign(place.clone(), value));
                Ok(())
            }
            (_, ast::Initializer::List(items)) => match items.as_slice() {
                [] => {
                    self.zero(place, steps);
                    Ok(())
                }
                [item, ..] if item.node.designation.is_empty() => self.initialize(place, &item.node.initializer, steps),
                _ => Err(self.invalid(initializer.span, "a scalar takes one value", "")),
            },
        }
    }

    /// Everything in the place becomes zero.
    pub(super) fn zero(&mut self, place: &Place, steps: &mut Vec<Step>) {
        steps.push(Step::Zero(place.clone()));
    }

    /// A list in braces for an array or a record.
    pub(super) fn list(
        &mut self,
        place: &Place,
        items: &[Node<ast::InitializerListItem>],
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        // Compilers warn about what is too much, and leave it out.
        self.members_of(place, &mut items.iter().peekable(), Braces::Own, steps)
    }

    /// Takes the members of an array or record from a list, as many as there are.
    fn members_of(&mut self, place: &Place, rest: &mut Items<'_>, braces: Braces, steps: &mut Vec<Step>) -> Result<()> {
        let count = match place.ty.plain() {
            Type::Array(_, Length::Fixed(length)) => *length,
            Type::Array(..) => MAX_ELEMENTS,
            Type::Record(id) => {
                let record = &self.records[id.index()];
                let fields = record.fields.as_ref().map_or(0, Vec::len) as u64;
                // Without a designator a union takes a value for its first member.
                if record.is_union && braces == Braces::Outer { fields.min(1) } else { fields }
            }
            _ => 1,
        };
        let mut position = 0;
        let is_union = matches!(place.ty.plain(), Type::Record(id) if self.records[id.index()].is_union);
        let mut taken = 0;
        while let Some(item) = rest.peek() {
            let designation = item.node.designation.as_slice();
            if let Some((first, inner)) = designation.split_first() {
                if braces == Braces::Outer {
                    // It speaks of the object whose braces are there.
                    return Ok(());
                }
                let item = rest.next().expect("it was peeked at");
                let (targets, next) = self.designated_parts(place, first, position)?;
                for target in targets {
                    self.designated_item(&target, inner, item, steps)?;
                }
                position = next;
                taken += 1;
                continue;
            }
            if position >= count || is_union && taken > 0 {
                return Ok(());
            }
            let target = self.part(place, position);
            self.element(&target, rest, steps)?;
            position += 1;
            taken += 1;
        }
        Ok(())
    }

    /// The parts that a designator names, and the position behind them.
    fn designated_parts(
        &mut self,
        place: &Place,
        designator: &Node<ast::Designator>,
        position: u64,
    ) -> Result<(Vec<Place>, u64)> {
        let (from, to) = match &designator.node {
            ast::Designator::Index(index) => {
                let at = self.position(index)?;
                (at, at)
            }
            ast::Designator::Range(range) => (self.position(&range.node.from)?, self.position(&range.node.to)?),
            ast::Designator::Member(name) => {
                let Type::Record(id) = place.ty.plain() else {
                    return Err(self.invalid(designator.span, "only structs and unions have members", ""));
                };
                let Some((path, field)) = self.member(*id, &name.node.name) else {
                    let message = format!("{} has no member `{}`", self.words(&place.ty), name.node.name);
                    return Err(self.invalid(designator.span, message, ""));
                };
                let next = match path.first() {
                    Some(Projection::Field(index)) => u64::from(*index) + 1,
                    _ => position + 1,
                };
                let mut target = place.clone();
                target.path.extend(path);
                target.ty = field.ty;
                return Ok((vec![target], next));
            }
        };
        let Type::Array(_, length) = place.ty.plain() else {
            return Err(self.invalid(designator.span, "only arrays have indices", ""));
        };
        if matches!(length, Length::Fixed(length) if to >= *length) {
            return Err(self.invalid(designator.span, "this index is outside the array", ""));
        }
        Ok(((from..=to).map(|at| self.part(place, at)).collect(), to + 1))
    }

    /// The initialiser of an item, for what its further designators name inside `target`.
    fn designated_item(
        &mut self,
        target: &Place,
        designation: &[Node<ast::Designator>],
        item: &Node<ast::InitializerListItem>,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        if let Some((first, inner)) = designation.split_first() {
            for part in self.designated_parts(target, first, 0)?.0 {
                self.designated_item(&part, inner, item, steps)?;
            }
            return Ok(());
        }
        self.initialize(target, &item.node.initializer, steps)
    }

    /// Takes the value of one element or member from a list.
    fn element(&mut self, target: &Place, rest: &mut Items<'_>, steps: &mut Vec<Step>) -> Result<()> {
        let item = rest.peek().expect("the caller looked");
        let initializer = &item.node.initializer;
        let is_aggregate = matches!(target.ty.plain(), Type::Array(..) | Type::Record(_));
        let takes_whole = match &initializer.node {
            ast::Initializer::List(_) => true,
            ast::Initializer::Expression(expression) => match target.ty.plain() {
                Type::Array(element, _) => self.string_initializer(element, initializer)?.is_some(),
                Type::Record(_) => {
                    let ty = self.type_of(expression)?;
                    matches!(ty.plain(), Type::Record(_))
                }
                _ => true,
            },
        };
        if is_aggregate && !takes_whole {
            return self.members_of(target, rest, Braces::Outer, steps);
        }
        let initializer = &rest.next().expect("it was peeked at").node.initializer;
        self.initialize(target, initializer, steps)
    }

    /// The element or member at a position.
    fn part(&self, place: &Place, position: u64) -> Place {
        let mut part = place.clone();
        match place.ty.plain() {
            Type::Array(element, _) => {
                let index = Expr::constant(i128::from(position), IntKind::Long);
                part.path.push(Projection::Index(index, self.stride(element)));
                part.ty = (**element).clone();
            }
            Type::Record(id) => {
                part.path.push(Projection::Field(position as u32));
                let fields = self.records[id.index()].fields.as_ref();
                if let Some(field) = fields.and_then(|fields| fields.get(position as usize)) {
                    part.ty = field.ty.clone();
                }
            }
            _ => {}
        }
        part
    }

    fn fill_with_string(&mut self, place: &Place, length: Length, bytes: &[u8], steps: &mut Vec<Step>) {
        self.zero(place, steps);
        for (position, byte) in bytes.iter().enumerate() {
            let inside = !matches!(length, Length::Fixed(length) if position as u64 >= length);
            if inside && *byte != 0 {
                let target = self.part(place, position as u64);
                let value = Expr::constant(i128::from(*byte), IntKind::Int).convert(&target.ty);
                steps.push(Step::Assign(target, value));
            }
        }
    }

    /// The bytes, with the final zero, if a string initialises an array of characters.
    fn string_initializer(&mut self, element: &Type, initializer: &Node<ast::Initializer>) -> Result<Option<Vec<u8>>> {
        let Some(IntKind::Char | IntKind::SChar | IntKind::UChar) = element.int_kind() else {
            return Ok(None);
        };
        let expression = match &initializer.node {
            ast::Initializer::Expression(expression) => expression,
            // A string may stand in braces of its own.
            ast::Initializer::List(items) => match items.as_slice() {
                [item] if item.node.designation.is_empty() => {
                    return self.string_initializer(element, &item.node.initializer);
                }
                _ => return Ok(None),
            },
        };
        let ast::Expression::StringLiteral(parts) = &expression.node else {
            return Ok(None);
        };
        let mut bytes = self.string_bytes(&parts.node, expression.span)?;
        bytes.push(0);
        Ok(Some(bytes))
    }

    /// The bytes of a string literal, its parts joined, without the final zero.
    pub(super) fn string_bytes(&self, parts: &[String], span: lang_c::span::Span) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for part in parts {
            let part = characters(part).ok_or_else(|| self.unsupported(span, "this kind of string", ""))?;
            bytes.extend(part);
        }
        Ok(bytes)
    }

    /// How many innermost elements one value of the type is.
    pub(super) fn stride(&self, ty: &Type) -> Stride {
        match ty.plain() {
            Type::Array(element, length) => {
                let mut stride = self.stride(element);
                match length {
                    Length::Fixed(length) => {
                        stride.factor = stride.factor.saturating_mul(i64::try_from(*length).unwrap_or(i64::MAX));
                    }
                    Length::Variable(variable) => stride.lengths.push(*variable),
                    Length::Unknown => {}
                }
                stride
            }
            _ => Stride::of(1),
        }
    }
}

/// Whose braces a list stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// Those of the object itself.
    Own,
    /// Those of an object around it.
    Outer,
}

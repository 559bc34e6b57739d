//! Types of C as declarations spell them.

use lang_c::ast::{self, TypeSpecifier};
use lang_c::span::{Node, Span as RawSpan};
use std::fmt;

use super::{Lowering, Name};
use crate::error::Result;
use crate::program::{IntKind, Step, VariableType, fold};

/// A type. What pct does not handle keeps its description, and is an error only where a value of it is needed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CType {
    Void,
    Int(IntKind),
    Array(Box<CType>, Option<u64>),
    Pointer(Box<CType>),
    /// Result, and parameters if they are declared.
    Function(Box<CType>, Option<Vec<CType>>),
    Unsupported(String),
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CType::Void => write!(f, "void"),
            CType::Int(kind) => write!(f, "{}", kind.c_name()),
            CType::Array(element, _) => write!(f, "an array of {element}"),
            CType::Pointer(target) => write!(f, "a pointer to {target}"),
            CType::Function(..) => write!(f, "a function"),
            CType::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

impl CType {
    /// `sizeof`, if pct knows it.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            CType::Int(kind) => Some(kind.size()),
            CType::Array(element, Some(length)) => element.size()?.checked_mul(*length),
            CType::Pointer(_) => Some(8),
            _ => None,
        }
    }

    /// How many scalars a value of the type consists of.
    pub(super) fn scalars(&self) -> Option<i64> {
        match self {
            CType::Int(_) => Some(1),
            CType::Array(element, Some(length)) => element.scalars()?.checked_mul(i64::try_from(*length).ok()?),
            _ => None,
        }
    }

    /// The variable that holds a value of the type: a scalar, an array, or, for a pointer, what it points to.
    pub(super) fn variable_type(&self) -> Option<VariableType> {
        match self {
            CType::Int(kind) => Some(VariableType::Scalar(*kind)),
            CType::Array(element, length) => element.array_of(*length),
            CType::Pointer(target) => target.array_of(None),
            _ => None,
        }
    }

    /// The type of a variable, as far as predicates need it.
    pub(super) fn of_variable(ty: &VariableType) -> CType {
        match ty {
            VariableType::Scalar(kind) => CType::Int(*kind),
            VariableType::Array { element, extents } => {
                extents.iter().rev().fold(CType::Int(*element), |inner, extent| CType::Array(Box::new(inner), *extent))
            }
        }
    }

    fn array_of(&self, length: Option<u64>) -> Option<VariableType> {
        match self {
            CType::Int(kind) => Some(VariableType::Array { element: *kind, extents: vec![length] }),
            CType::Array(element, inner) => match element.array_of(*inner)? {
                VariableType::Array { element, extents } => {
                    Some(VariableType::Array { element, extents: std::iter::once(length).chain(extents).collect() })
                }
                VariableType::Scalar(_) => None,
            },
            _ => None,
        }
    }

    /// What a parameter of this declared type really is: arrays and functions become pointers.
    pub(super) fn into_parameter(self) -> CType {
        match self {
            CType::Array(element, _) => CType::Pointer(element),
            other => other,
        }
    }
}

/// What the specifiers of a declaration say.
pub(super) struct Specified {
    pub(super) ty: CType,
    pub(super) is_typedef: bool,
    pub(super) is_extern: bool,
    pub(super) is_static: bool,
    pub(super) is_const: bool,
    pub(super) is_volatile: bool,
    /// A function that does not return.
    pub(super) is_noreturn: bool,
}

impl Lowering<'_> {
    /// The type that the specifiers of a declaration name.
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<ast::DeclarationSpecifier>],
        span: RawSpan,
    ) -> Result<Specified> {
        let mut specified = Specified {
            ty: CType::Void,
            is_typedef: false,
            is_extern: false,
            is_static: false,
            is_const: false,
            is_volatile: false,
            is_noreturn: false,
        };
        let mut types = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => match class.node {
                    ast::StorageClassSpecifier::Typedef => specified.is_typedef = true,
                    ast::StorageClassSpecifier::Extern => specified.is_extern = true,
                    ast::StorageClassSpecifier::Static => specified.is_static = true,
                    _ => {}
                },
                ast::DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => match qualifier.node {
                    ast::TypeQualifier::Const => specified.is_const = true,
                    ast::TypeQualifier::Volatile => specified.is_volatile = true,
                    _ => {}
                },
                ast::DeclarationSpecifier::Function(function) => {
                    specified.is_noreturn |= function.node == ast::FunctionSpecifier::Noreturn;
                }
                ast::DeclarationSpecifier::Extension(extensions) => {
                    specified.is_noreturn |= says_noreturn(extensions);
                }
                ast::DeclarationSpecifier::Alignment(_) => {}
            }
        }
        specified.ty = self.base_type(&types, span)?;
        Ok(specified)
    }

    /// The type of a type name (in a cast or `sizeof`).
    pub(super) fn type_name(&mut self, name: &Node<ast::TypeName>) -> Result<CType> {
        let types: Vec<_> = name
            .node
            .specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => Some(ty),
                _ => None,
            })
            .collect();
        let base = self.base_type(&types, name.span)?;
        match &name.node.declarator {
            Some(declarator) => self.declared_type(base, &declarator.node),
            None => Ok(base),
        }
    }

    fn base_type(&mut self, types: &[&Node<TypeSpecifier>], span: RawSpan) -> Result<CType> {
        let mut words = Words::default();
        for ty in types {
            match &ty.node {
                TypeSpecifier::Void => return Ok(CType::Void),
                TypeSpecifier::Bool => return Ok(CType::Int(IntKind::Bool)),
                TypeSpecifier::Char => words.char = true,
                TypeSpecifier::Short => words.short = true,
                TypeSpecifier::Int => {}
                TypeSpecifier::Long => words.longs += 1,
                TypeSpecifier::Signed => words.signed = true,
                TypeSpecifier::Unsigned => words.unsigned = true,
                TypeSpecifier::Float | TypeSpecifier::Double | TypeSpecifier::TS18661Float(_) => {
                    return Ok(CType::Unsupported("a floating-point type".to_string()));
                }
                TypeSpecifier::Complex => {
                    return Ok(CType::Unsupported("a complex type".to_string()));
                }
                TypeSpecifier::Atomic(_) => {
                    return Ok(CType::Unsupported("an atomic type".to_string()));
                }
                TypeSpecifier::Struct(s) => {
                    let kind = match s.node.kind.node {
                        ast::StructKind::Struct => "a struct",
                        ast::StructKind::Union => "a union",
                    };
                    return Ok(CType::Unsupported(kind.to_string()));
                }
                TypeSpecifier::Enum(e) => return self.enumeration(e),
                TypeSpecifier::TypedefName(name) => {
                    return Ok(match self.lookup(&name.node.name) {
                        Some(Name::Typedef(ty)) => ty.clone(),
                        _ => CType::Unsupported(format!("the type `{}`", name.node.name)),
                    });
                }
                TypeSpecifier::TypeOf(_) => {
                    return Ok(CType::Unsupported("typeof".to_string()));
                }
            }
        }
        if types.is_empty() {
            return Err(self.unsupported(
                span,
                "a declaration without a type (implicit int)",
                "write the type, for example `int`",
            ));
        }
        Ok(CType::Int(words.kind()))
    }

    /// An enumeration: its constants become names, its type is what gcc and clang choose.
    fn enumeration(&mut self, node: &Node<ast::EnumType>) -> Result<CType> {
        let tag = node.node.identifier.as_ref().map(|id| id.node.name.clone());
        if node.node.enumerators.is_empty() {
            let tag = tag.unwrap_or_default();
            let known = self.tags.iter().rev().find_map(|scope| scope.get(&tag));
            return Ok(known.cloned().unwrap_or(CType::Int(IntKind::UInt)));
        }
        let mut next = 0;
        let (mut least, mut greatest) = (0, 0);
        // The dialect's way to write `enum E : type`.
        let mut underlying = None;
        for enumerator in node.node.enumerators.iter().filter(|e| is_underlying(e)) {
            if let Some(ast::Expression::SizeOfTy(size)) = enumerator.node.expression.as_deref().map(|e| &e.node) {
                underlying = Some(self.type_name(&size.node.0)?);
            }
        }
        for enumerator in node.node.enumerators.iter().filter(|e| !is_underlying(e)) {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression)?;
            }
            least = least.min(next);
            greatest = greatest.max(next);
            let kind = if let Some(CType::Int(kind)) = underlying {
                kind
            } else if (IntKind::Int.least()..=IntKind::Int.greatest()).contains(&next) {
                IntKind::Int
            } else {
                IntKind::Long
            };
            let name = &enumerator.node.identifier.node.name;
            self.bind(name, Name::Enumerator(next, kind));
            self.enumerators.push((name.clone(), next, kind));
            next += 1;
        }
        let kind = [IntKind::UInt, IntKind::Int, IntKind::ULong, IntKind::Long]
            .into_iter()
            .find(|kind| kind.least() <= least && greatest <= kind.greatest())
            .unwrap_or(IntKind::Long);
        let ty = underlying.unwrap_or(CType::Int(kind));
        if let Some(tag) = tag {
            let scope = self.tags.last_mut().expect("file scope is always there");
            scope.insert(tag, ty.clone());
        }
        Ok(ty)
    }

    /// The type of what a declarator declares, given the type of its specifiers.
    pub(super) fn declared_type(&mut self, base: CType, declarator: &ast::Declarator) -> Result<CType> {
        let mut ty = base;
        // Pointers come first and bind to the base; arrays and functions apply from the last to the first.
        let (pointers, rest): (Vec<_>, Vec<_>) =
            declarator.derived.iter().partition(|d| matches!(d.node, ast::DerivedDeclarator::Pointer(_)));
        for _ in pointers {
            ty = CType::Pointer(Box::new(ty));
        }
        for derived in rest.into_iter().rev() {
            ty = match &derived.node {
                ast::DerivedDeclarator::Array(array) => {
                    let length = self.array_length(&array.node)?;
                    CType::Array(Box::new(ty), length)
                }
                ast::DerivedDeclarator::Function(function) => {
                    let parameters = self.parameter_types(&function.node)?;
                    CType::Function(Box::new(ty), parameters)
                }
                ast::DerivedDeclarator::KRFunction(_) => CType::Function(Box::new(ty), None),
                ast::DerivedDeclarator::Pointer(_) => CType::Pointer(Box::new(ty)),
                ast::DerivedDeclarator::Block(_) => CType::Unsupported("a block of clang".to_string()),
            };
        }
        match &declarator.kind.node {
            ast::DeclaratorKind::Declarator(inner) => self.declared_type(ty, &inner.node),
            _ => Ok(ty),
        }
    }

    fn array_length(&mut self, array: &ast::ArrayDeclarator) -> Result<Option<u64>> {
        let size = match &array.size {
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => e,
            _ => return Ok(None),
        };
        let mut steps: Vec<Step> = Vec::new();
        // A length that is not constant (a VLA) is unknown here. The names of a prototype need not even exist.
        let Ok(value) = self.integer(size, &mut steps) else {
            return Ok(None);
        };
        Ok(fold(&value).and_then(|length| u64::try_from(length).ok()))
    }

    fn parameter_types(&mut self, function: &ast::FunctionDeclarator) -> Result<Option<Vec<CType>>> {
        if matches!(function.ellipsis, ast::Ellipsis::Some) {
            return Ok(None);
        }
        let mut types = Vec::new();
        for parameter in &function.parameters {
            let specified = self.specifiers(&parameter.node.specifiers, parameter.span)?;
            let ty = match &parameter.node.declarator {
                Some(declarator) => self.declared_type(specified.ty, &declarator.node)?,
                None => specified.ty,
            };
            types.push(ty.into_parameter());
        }
        if types == [CType::Void] {
            types.clear();
        }
        Ok(Some(types))
    }
}

/// Whether an enumerator is the dialect's mark for the underlying type.
fn is_underlying(enumerator: &Node<ast::Enumerator>) -> bool {
    enumerator.node.identifier.node.name == "__pct_underlying"
}

/// Whether an attribute says that a function does not return.
pub(super) fn says_noreturn(extensions: &[Node<ast::Extension>]) -> bool {
    extensions.iter().any(|extension| match &extension.node {
        ast::Extension::Attribute(attribute) => attribute.name.node.trim_matches('_') == "noreturn",
        _ => false,
    })
}

/// The words of an integer type, in whatever order they came.
#[derive(Default)]
struct Words {
    char: bool,
    short: bool,
    longs: u32,
    signed: bool,
    unsigned: bool,
}

impl Words {
    fn kind(&self) -> IntKind {
        let signed = if self.char && self.signed {
            IntKind::SChar
        } else if self.char {
            IntKind::Char
        } else if self.short {
            IntKind::Short
        } else {
            match self.longs {
                0 => IntKind::Int,
                1 => IntKind::Long,
                _ => IntKind::LongLong,
            }
        };
        if self.unsigned { signed.to_unsigned() } else { signed }
    }
}

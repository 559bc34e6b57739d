//! The integer types of C with the widths of LP64 (as gcc and clang have them on x86-64 and AArch64 Linux).

/// An integer type. An enumeration is represented by its underlying type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    /// `_Bool`: the values 0 and 1.
    Bool,
    /// `char`, signed here.
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
}

impl IntKind {
    /// How many bits carry the value. `_Bool` has one: so each of its bit patterns is a value.
    pub fn width(self) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => 64,
        }
    }

    /// Its `sizeof`.
    pub fn size(self) -> u64 {
        u64::from(self.width().div_ceil(8))
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::Char | IntKind::SChar | IntKind::Short | IntKind::Int | IntKind::Long | IntKind::LongLong
        )
    }

    /// The conversion rank of C11 6.3.1.1.
    pub fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            unsigned => unsigned,
        }
    }

    /// The integer promotion of C11 6.3.1.1: what is smaller than `int` becomes `int`.
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() { IntKind::Int } else { self }
    }

    /// The common type of the usual arithmetic conversions, C11 6.3.1.8.
    pub fn common(self, other: IntKind) -> IntKind {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width() > unsigned.width() {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The least value.
    pub fn least(self) -> i128 {
        if self.is_signed() { -(1i128 << (self.width() - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn greatest(self) -> i128 {
        let value_bits = self.width() - u32::from(self.is_signed());
        (1i128 << value_bits) - 1
    }

    /// The value that conversion to this type gives (C11 6.3.1.2, 6.3.1.3; out of range signed values wrap, as gcc
    /// and clang define it).
    pub fn wrap(self, value: i128) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let modulus = 1i128 << self.width();
        let low = value.rem_euclid(modulus);
        if self.is_signed() && low > self.greatest() { low - modulus } else { low }
    }

    /// How C writes it.
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
        }
    }
}

/// The type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableType {
    /// One integer.
    Scalar(IntKind),
    /// An array object, or what a pointer parameter points to.
    Array {
        /// The type of the innermost elements.
        element: IntKind,
        /// The extents, outermost first; `None` where C does not say (a parameter `a[]`).
        extents: Vec<Option<u64>>,
    },
}

impl VariableType {
    /// The type of the value or of the elements.
    pub fn element(&self) -> IntKind {
        match self {
            VariableType::Scalar(kind) => *kind,
            VariableType::Array { element, .. } => *element,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IntKind::*;

    #[test]
    fn common_type_follows_the_standard() {
        for (a, b, common) in [
            (Char, UChar, Int),
            (UShort, Short, Int),
            (Int, UInt, UInt),
            (UInt, Long, Long),
            (ULong, LongLong, ULongLong),
            (Bool, Bool, Int),
            (Long, UChar, Long),
        ] {
            assert_eq!(a.common(b), common, "{a:?} {b:?}");
            assert_eq!(b.common(a), common, "{b:?} {a:?}");
        }
    }

    #[test]
    fn conversion_wraps_like_gcc() {
        for (kind, value, wrapped) in
            [(UChar, -1, 255), (SChar, 200, -56), (Bool, 256, 1), (Int, 1 << 31, -(1 << 31)), (UInt, -1, (1 << 32) - 1)]
        {
            assert_eq!(kind.wrap(value), wrapped, "{kind:?} {value}");
        }
    }
}

namespace Cluster.Slim.Layouts;

/// <summary>What one step of a layout takes off a message. The numbers are part of the format.</summary>
internal enum LayoutOp : byte
{
    /// <summary>A number of bytes; operand: how many.</summary>
    Bytes = 1,

    /// <summary>A place; operand: its declared type.</summary>
    Place = 2,

    /// <summary>A count, and that many times the places; operands: how many types, the types.</summary>
    Items = 3,

    /// <summary>0, or 1 and a place; operand: its declared type.</summary>
    Optional = 4,

    /// <summary>Places of one type; operands: how many, the type.</summary>
    Repeat = 5,

    /// <summary>A count, kept for <see cref="Elements"/>.</summary>
    Length = 6,

    /// <summary>Bounds and lengths, their product kept for <see cref="Elements"/>; operand: how many.</summary>
    Dimensions = 7,

    /// <summary>As many places as the creation part said; operand: the type.</summary>
    Elements = 8,

    /// <summary>The code of a comparer and what follows it.</summary>
    Comparer = 9,

    /// <summary>A place; if it is not null, two numbers; operand: the type.</summary>
    Segment = 10,

    /// <summary>The length of an address in a byte, the address, and its scope if it has one.</summary>
    Address = 11,

    /// <summary>A type reference.</summary>
    TypeReference = 12,

    /// <summary>A number of bits, and the bytes that hold them.</summary>
    Bits = 13,

    /// <summary>The fields of the type, in order.</summary>
    Fields = 14,

    /// <summary>What a user's codec writes; operand: its version. Only the codec knows where it ends.</summary>
    Codec = 15,

    /// <summary>A byte: 1 if a type reference follows, which is the object's real type, plus 2 if the body of the
    /// object follows its creation part however deep it lies.</summary>
    Target = 16,
}

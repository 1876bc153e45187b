namespace Cluster.Pile.Layout;

/// <summary>The kind of a slot's payload; three bits of the header. The numbers are part of the format.</summary>
internal enum PayloadKind
{
    Bytes = 0,
    Latin1 = 1,
    Utf16 = 2,
    Graph = 3,

    /// <summary>The payload starts with the pointer of the slot that holds the real object.</summary>
    Link = 4,

    /// <summary>A second word with the real kind and length precedes the payload.</summary>
    Extended = 5,
}

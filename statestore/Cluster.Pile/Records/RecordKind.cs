namespace Cluster.Pile.Records;

/// <summary>What the value of a record is; three bits of its header. The numbers are part of the format.</summary>
internal enum RecordKind
{
    Bytes = 0,
    Latin1 = 1,
    Utf16 = 2,
    Graph = 3,

    /// <summary>Eight bytes: the pointer of an object of the pile that the record owns; it ends with it.</summary>
    Pointer = 4,
}

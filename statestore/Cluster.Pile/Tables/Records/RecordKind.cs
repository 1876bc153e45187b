namespace Cluster.Pile.Tables.Records;

/// <summary>The kind of a record's value; three bits of its header. The numbers are part of the format.</summary>
internal enum RecordKind
{
    Bytes = 0,
    Latin1 = 1,
    Utf16 = 2,
    Graph = 3,

    /// <summary>Eight bytes: the pointer of an object of the pile. The record owns the object, which is deleted with
    /// the record.</summary>
    Pointer = 4,
}

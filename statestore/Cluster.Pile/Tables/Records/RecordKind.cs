using Cluster.Pile.Layout;

namespace Cluster.Pile.Tables.Records;

/// <summary>The kind of a record's value; three bits of its header. The numbers are part of the format. The kinds that
/// objects have, too, have the numbers of <see cref="PayloadKind"/>.</summary>
internal enum RecordKind
{
    Bytes = (int)PayloadKind.Bytes,
    Latin1 = (int)PayloadKind.Latin1,
    Utf16 = (int)PayloadKind.Utf16,
    Graph = (int)PayloadKind.Graph,

    /// <summary>Eight bytes: the pointer of an object of the pile. The record owns the object, which is deleted with
    /// the record.</summary>
    Pointer = 4,
}

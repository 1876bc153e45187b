using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables;

/// <summary>The record that a put stores, and the form of it. Owned by the method that makes it.</summary>
internal readonly ref struct RecordPut
{
    public RecordPut(RecordKey key, RecordForm form, ReadOnlySpan<byte> value)
    {
        Key = key;
        Form = form;
        Value = value;
    }

    public RecordKey Key { get; }

    public RecordForm Form { get; }

    public ReadOnlySpan<byte> Value { get; }
}

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

    /// <summary>The first bytes of the stored value; those of <see cref="Value"/> follow.</summary>
    public ReadOnlySpan<byte> Head { get; init; }

    /// <summary>The bytes of the stored value.</summary>
    public int ValueBytes => Head.Length + Value.Length;

    public RecordKey Key { get; }

    public RecordForm Form { get; }

    public ReadOnlySpan<byte> Value { get; }
}

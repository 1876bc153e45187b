namespace Cluster.Pile.Tables.Records;

/// <summary>The record that a put stores, and the form of it. Owned by the method that makes it.</summary>
internal readonly ref struct RecordPut
{
    public RecordPut(RecordKey key, RecordForm form, ReadOnlySpan<byte> value)
    {
        Key = key;
        Form = form;
        Value = value;
    }

    /// <summary>Gets the first bytes of the value that the put replaces. Empty: nobody asks.</summary>
    public Span<byte> OldHead { get; init; }

    /// <summary>Gets the length of the value that the put replaces, where <see cref="OldHead"/> is asked for.</summary>
    public Span<int> OldValueBytes { get; init; }

    /// <summary>The first bytes of the stored value; those of <see cref="Value"/> follow.</summary>
    public ReadOnlySpan<byte> Head { get; init; }

    /// <summary>The bytes of the stored value.</summary>
    public int ValueBytes => Head.Length + Value.Length;

    public RecordKey Key { get; }

    public RecordForm Form { get; }

    public ReadOnlySpan<byte> Value { get; }
}

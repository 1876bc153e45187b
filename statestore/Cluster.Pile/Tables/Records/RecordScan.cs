namespace Cluster.Pile.Tables.Records;

/// <summary>The position of a walk over the records of a table. Mutable; owned by the walk.</summary>
/// <param name="tagFirst">The lowest tag of the walk.</param>
/// <param name="tagLast">The highest tag of the walk.</param>
/// <param name="buckets">The number of buckets of a page.</param>
/// <remarks>The keys have an order that nothing changes: by bucket, then by tag. The walk follows this order, so a key
/// that exists during the whole walk is met exactly once, even if pages are split and records move meanwhile.</remarks>
internal sealed class RecordScan(uint tagFirst, uint tagLast, int buckets)
{
    private readonly uint _tagFirst = tagFirst;
    private readonly uint _tagLast = tagLast;
    private readonly int _buckets = buckets;

    // Four bytes with the length come before each key.
    private byte[] _keys = new byte[1024];
    private int _next;

    private int _length;

    /// <summary>The bucket of the next keys.</summary>
    public int Bucket { get; private set; }

    /// <summary>The lowest tag that was not visited in that bucket.</summary>
    public uint Tag { get; private set; } = tagFirst;

    public bool IsOver => Bucket == _buckets;

    /// <summary>Continues after the visited page, which has this many tags; the number is a power of two.</summary>
    public void MoveOn(ulong tags)
    {
        var next = (Tag | (tags - 1)) + 1;
        var isLast = next > _tagLast;
        Tag = isLast ? _tagFirst : (uint)next;
        Bucket += isLast ? 1 : 0;
    }

    /// <summary>Whether the walk visits keys with this tag. A page can have further ones.</summary>
    public bool Takes(uint tag) => tag >= _tagFirst && tag <= _tagLast;

    public bool TryTake(out ReadOnlySpan<byte> key)
    {
        key = default;
        if (_next == _length)
            return false;
        var length = BitConverter.ToInt32(_keys, _next);
        key = _keys.AsSpan(_next + sizeof(int), length);
        _next += sizeof(int) + length;
        return true;
    }

    public void Clear() => _length = _next = 0;

    public void Add(ReadOnlySpan<byte> key)
    {
        var end = _length + sizeof(int) + key.Length;
        if (end > _keys.Length)
            Array.Resize(ref _keys, Math.Max(end, _keys.Length * 2));
        BitConverter.TryWriteBytes(_keys.AsSpan(_length), key.Length);
        key.CopyTo(_keys.AsSpan(_length + sizeof(int)));
        _length = end;
    }
}

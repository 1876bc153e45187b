namespace Cluster.Buffers.Extents;

/// <summary>Bytes from start up to, not including, end. An immutable value.</summary>
internal readonly record struct Interval(long Start, long End)
{
    public long Length => End - Start;
}

namespace Cluster.Slim.Tests.Matrix;

/// <summary>A buffer that never gives more room than it was asked for, and seven bytes if not asked.</summary>
internal sealed class StingyBufferWriter : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _room = [];

    public byte[] Written => [.. _written];

    public void Advance(int count) => _written.AddRange(_room.AsSpan(0, count));

    public Memory<byte> GetMemory(int sizeHint = 0) => _room = new byte[sizeHint == 0 ? 7 : sizeHint];

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}

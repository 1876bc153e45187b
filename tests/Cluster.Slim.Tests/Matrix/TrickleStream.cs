namespace Cluster.Slim.Tests.Matrix;

/// <summary>A stream that gives one byte per read.</summary>
internal sealed class TrickleStream(byte[] bytes) : MemoryStream(bytes)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(1, buffer.Length)]);

    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(1, count));
}

namespace Cluster.StateStore.Hosting.States;

/// <summary>Byte arrays as they are, copied, because the caller may change its array. Stateless.</summary>
internal sealed class BytesKeyCodec : KeyCodec<byte[]>
{
    public override byte[] ToBytes(byte[] key) => [.. key];
}

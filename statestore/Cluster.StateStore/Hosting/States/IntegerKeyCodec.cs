using System.Numerics;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Integers and characters in their own width, little-endian. Stateless.</summary>
/// <typeparam name="T">The integer type.</typeparam>
internal sealed class IntegerKeyCodec<T> : KeyCodec<T>
    where T : unmanaged, IBinaryInteger<T>
{
    public override byte[] ToBytes(T key)
    {
        var bytes = new byte[key.GetByteCount()];
        key.WriteLittleEndian(bytes);
        return bytes;
    }
}

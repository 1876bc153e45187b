using System.Buffers;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Keys of a user's type through the user's codec. Holds nothing but the codec.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal sealed class CustomKeyCodec<TKey>(IKeyCodec<TKey> codec) : KeyCodec<TKey>
    where TKey : notnull
{
    public override byte[] ToBytes(TKey key)
    {
        var output = new ArrayBufferWriter<byte>(64);
        codec.Write(key, output);
        return output.WrittenSpan.ToArray();
    }
}

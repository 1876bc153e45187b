using System.Buffers;

namespace Cluster.StateStore.Hosting.States;

/// <summary>
/// Turns keys of a user's type into canonical bytes. Equal keys must give equal bytes in every process and for ever:
/// the bytes decide which partition a key belongs to and are what keys are compared by.
/// </summary>
/// <typeparam name="T">The key type.</typeparam>
public interface IKeyCodec<in T>
{
    /// <summary>Writes the key's bytes.</summary>
    /// <param name="key">The key; never null.</param>
    /// <param name="output">Where to.</param>
    void Write(T key, IBufferWriter<byte> output);
}

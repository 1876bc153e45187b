namespace Cluster.StateStore.Hosting.States;

/// <summary>
/// Turns keys into canonical bytes: one implementation per kind of key, chosen once per state. Stateless.
/// </summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal abstract class KeyCodec<TKey>
    where TKey : notnull
{
    /// <summary>The canonical bytes of a key, as an array of their own.</summary>
    public abstract byte[] ToBytes(TKey key);
}

using Cluster.Pile.Caching;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Finds the encoders of key types. Stateless.</summary>
public static class KeyEncoder
{
    /// <summary>Finds the encoder of a key type. Null, with the remedy: this library knows no canonical form of the
    /// type.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <param name="custom">The user's codec; null: there is none.</param>
    /// <param name="remedy">What the user has to change; null where nothing.</param>
    public static KeyEncoder<TKey>? Find<TKey>(IKeyCodec<TKey>? custom, out string? remedy)
        where TKey : notnull => KeyEncoder<TKey>.Find(custom, out remedy);
}

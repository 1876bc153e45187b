namespace Cluster.Glue.Tests.Security;

/// <summary>What only peers may ask for.</summary>
public interface IPeerDuties
{
    /// <summary>Whether the server takes the caller for a peer.</summary>
    Task<bool> IsFromPeerAsync();

    /// <summary>Takes a graph; its text comes back.</summary>
    Task<string> TakeAsync(string text);

    /// <summary>A generic method is refused before its type arguments are looked at.</summary>
    Task<string> NameOfAsync<T>();
}

/// <summary>What everybody may ask for.</summary>
public interface IPublicDuties
{
    /// <summary>Whether the server takes the caller for a peer.</summary>
    Task<bool> IsFromPeerAsync();
}

/// <summary>Serves both. Stateless.</summary>
public sealed class PeerDuties : IPeerDuties, IPublicDuties
{
    public Task<bool> IsFromPeerAsync() => Task.FromResult(GlueCall.Current!.IsFromPeer);

    public Task<string> TakeAsync(string text) => Task.FromResult(text);

    public Task<string> NameOfAsync<T>() => Task.FromResult(typeof(T).Name);
}

using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The links that peers have opened to this server, found by their secrets. Thread-safe.</summary>
internal sealed class OpenLinks
{
    private readonly ConcurrentDictionary<Link, bool> _all = new();
    private readonly ConcurrentDictionary<LinkSecret, Link> _bySecret = new();

    public ICollection<Link> All => _all.Keys;

    /// <summary>Keeps a link until it ends. False: another link has the same secret.</summary>
    public bool TryAdd(Link link)
    {
        if (link.Settings.IsResumable && !_bySecret.TryAdd(link.Settings.Secret, link))
            return false;
        _all.TryAdd(link, true);
        return true;
    }

    public void Remove(Link link)
    {
        _all.TryRemove(link, out _);
        _bySecret.TryRemove(KeyValuePair.Create(link.Settings.Secret, link));
    }

    public Link? Find(LinkSecret secret) => _bySecret.GetValueOrDefault(secret);
}

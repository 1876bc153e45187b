using System.Security.Cryptography;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;

namespace Cluster.Nodes.Configuration;

/// <summary>What this process proves to the other processes of its cluster, and asks them to prove: the cluster's
/// secret, configured or from the store's folder, and the cluster's identity. One per host. The cluster's identity is
/// set once, when it is known.</summary>
internal sealed class PeerTrust
{
    private const int RandomBytes = 32;

    // This text is public. A proof with it still tells clusters apart, so that no node takes a node of another cluster
    // for its own.
    private const string KnownToEverybody = "Cluster: no secret is configured";

    private PeerTrust(bool isOpen, params IEnumerable<GlueSecret> secrets)
    {
        IsOpen = isOpen;
        foreach (var secret in secrets)
            Identity.Secrets.Add(secret);
    }

    /// <summary>The identity that Glue's server and the client of peers share.</summary>
    public GluePeerIdentity Identity { get; } = new() { Realm = null };

    /// <summary>Whether there is no secret: every process that reaches this one can do what a node does.</summary>
    public bool IsOpen { get; }

    /// <summary>Finds the secret.</summary>
    /// <param name="settings">The options.</param>
    /// <param name="origin">Where to look when none is configured.</param>
    /// <param name="openStore">Opens the cluster store; called only where the secret lies in its folder.</param>
    /// <exception cref="ClusterStartException">The folder cannot be used.</exception>
    public static PeerTrust Find(ClusterSettings settings, SecretOrigin origin, Func<IClusterStore> openStore)
    {
        if (settings.Secret is { } configured)
        {
            return settings.AlternateSecret is { } alternate
                ? new PeerTrust(false, configured, alternate)
                : new PeerTrust(false, configured);
        }

        return origin switch
        {
            SecretOrigin.Process => new PeerTrust(false, MakeRandom()),
            SecretOrigin.Folder => new PeerTrust(false, ReadFrom(openStore())),
            _ => new PeerTrust(true, new GlueSecret(KnownToEverybody)),
        };
    }

    /// <summary>A new secret in the form in which a user would write one.</summary>
    public static string MakeText() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(RandomBytes));

    private static GlueSecret MakeRandom() => new(MakeText());

    private static GlueSecret ReadFrom(IClusterStore store)
    {
        try
        {
            return new GlueSecret(((FileClusterStore)store).ReadSecret(MakeText));
        }
        catch (ClusterStoreException failure)
        {
            throw ClusterStartException.From(failure, store.Description);
        }
    }
}

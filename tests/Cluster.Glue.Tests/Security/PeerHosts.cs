using Cluster.Glue.Authorization;

namespace Cluster.Glue.Tests.Security;

/// <summary>Servers and clients with secrets, for tests of authentication. Stateless.</summary>
internal static class PeerHosts
{
    public const string Old = "the old secret of the cluster";
    public const string New = "the new secret of the cluster";
    public static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static GluePeerIdentity Identity(params string[] secrets)
    {
        var identity = new GluePeerIdentity { Realm = "cluster 1" };
        foreach (var secret in secrets)
            identity.Secrets.Add(new GlueSecret(secret));
        return identity;
    }

    public static Task<GlueHost> StartAsync(GluePeerIdentity? identity, Action<GlueServerOptions>? configure = null) =>
        GlueHost.StartAsync(
            options =>
            {
                options.PeerIdentity = identity;
                configure?.Invoke(options);
            },
            glue => glue
                .AddService<IPeerDuties, PeerDuties>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers)
                .AddService<IPublicDuties, PeerDuties>(GlueInstanceMode.Singleton));

    public static GlueClient Connect(GluePeerIdentity? identity, Action<GlueClientOptions>? configure = null)
    {
        var options = new GlueClientOptions
        {
            PeerIdentity = identity,
            DefaultDeadline = Bound,
            ResumeWindow = Bound,
        };
        configure?.Invoke(options);
        return new GlueClient(options);
    }
}

using Cluster.Testing.Glue;

namespace Cluster.Glue.Tests.Links;

/// <summary>Clients over a faulty link that give nothing up before a test does. Stateless.</summary>
internal static class PatientClient
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static GlueClient Connect(FaultyLink faults, Action<GlueClientOptions>? configure = null)
    {
        var options = new GlueClientOptions
        {
            // A lane that a test holds is silent, and not to be given up.
            HeartbeatInterval = Bound,
            DeadlineDefault = Bound,
            ConnectTimeout = Bound,
            ResumeWindow = Bound,
        };
        configure?.Invoke(options);
        faults.Attach(options);
        return new GlueClient(options);
    }
}

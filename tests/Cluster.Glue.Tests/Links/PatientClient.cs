using Cluster.Glue.Transport;
using Cluster.Testing.Glue;

namespace Cluster.Glue.Tests.Links;

/// <summary>Clients over a faulty link that give nothing up before a test does. Stateless.</summary>
internal static class PatientClient
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    /// <param name="faults">What disturbs its streams.</param>
    /// <param name="configure">Further options.</param>
    /// <param name="wrap">What stands before the faults.</param>
    public static GlueClient Connect(
        FaultyLink faults,
        Action<GlueClientOptions>? configure = null,
        Func<IMessageStream, IMessageStream>? wrap = null)
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
        if (wrap is not null && options.WrapConnector is { } attach)
            options.WrapConnector = inner => new WrappingConnector(attach(inner), wrap);
        return new GlueClient(options);
    }

    private sealed class WrappingConnector(IMessageConnector inner, Func<IMessageStream, IMessageStream> wrap)
        : IMessageConnector
    {
        public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
            => wrap(await inner.OpenAsync(address, cancellationToken));
    }
}

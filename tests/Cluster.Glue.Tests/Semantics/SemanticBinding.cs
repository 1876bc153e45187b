using Cluster.Glue.Filters;
using Cluster.Glue.Tls;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>One way in which the client and the server of a semantic test reach each other. Created for each test;
/// immutable.</summary>
public sealed class SemanticBinding
{
    private static readonly GlueTlsOptions Trusted = CreateTls();

    private readonly string? _inProcessName;

    private SemanticBinding(string name, string? inProcessName = null)
    {
        Name = name;
        _inProcessName = inProcessName;
    }

    /// <summary>All ways; every suite runs over each.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        nameof(Link), nameof(MutualTls), nameof(UnixSocket), nameof(Unary), nameof(InProcess),
        nameof(InProcessSerialized),
    ];

    public string Name { get; }

    /// <summary>Arguments and results are copies.</summary>
    public bool Serializes { get; private init; } = true;

    /// <summary>Calls of one proxy arrive in the order in which they are sent; requests of their own may not.</summary>
    public bool ArrivesAsSent => Transport != GlueTransport.Unary;

    /// <summary>What filters are told of it.</summary>
    public GlueBinding Kind => _inProcessName is not null ? GlueBinding.InProcess
        : Transport == GlueTransport.Unary ? GlueBinding.Unary : GlueBinding.Link;

    private GlueTransport Transport { get; init; } = GlueTransport.Link;

    private string? ListenAddress { get; init; }

    private GlueTlsOptions? Tls { get; init; }

    public static SemanticBinding Link() => new(nameof(Link));

    /// <summary>Both sides show certificates of one authority.</summary>
    public static SemanticBinding MutualTls() =>
        new(nameof(MutualTls)) { ListenAddress = "https://127.0.0.1:0", Tls = Trusted };

    public static SemanticBinding UnixSocket() => new(nameof(UnixSocket)) { ListenAddress = SocketPath.New() };

    public static SemanticBinding Unary() => new(nameof(Unary)) { Transport = GlueTransport.Unary };

    public static SemanticBinding InProcess() => new(nameof(InProcess), NewName()) { Serializes = false };

    public static SemanticBinding InProcessSerialized() => new(nameof(InProcessSerialized), NewName());

    /// <summary>The way of a name in <see cref="Names"/>.</summary>
    public static SemanticBinding Of(string name) => name switch
    {
        nameof(Link) => Link(),
        nameof(MutualTls) => MutualTls(),
        nameof(UnixSocket) => UnixSocket(),
        nameof(Unary) => Unary(),
        nameof(InProcess) => InProcess(),
        nameof(InProcessSerialized) => InProcessSerialized(),
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "No binding of that name."),
    };

    public string TargetOf(string listenAddress) =>
        _inProcessName is null ? listenAddress : "inproc://" + _inProcessName;

    public void Configure(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (ListenAddress is not null)
            options.ListenAddress = ListenAddress;
        options.Tls = Tls;
        if (_inProcessName is null)
            return;
        options.InProcessName = _inProcessName;
        options.InProcessMode = Serializes ? GlueInProcessMode.Serialize : GlueInProcessMode.ShareObjects;
    }

    public void Configure(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Transport = Transport;
        options.Tls = Tls;
    }

    private static GlueTlsOptions CreateTls()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        var tls = new GlueTlsOptions
        {
            Certificate = authority.Create("localhost", "127.0.0.1"),
            ClientCertificate = GlueClientCertificate.Required,
        };
        tls.Authorities.Add(authority.Authority);
        return tls;
    }

    private static string NewName() => "t" + Guid.NewGuid().ToString("N");
}

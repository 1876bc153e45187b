using OpenTelemetry;
using OpenTelemetry.Trace;

namespace Cluster.Glue.Tests.Observation;

/// <summary>Collects spans as an application does: by OpenTelemetry, with the exporter into memory. All servers and
/// clients of the process are heard, so its tests run alone. The list is filled under a lock of the exporter, and read
/// when the calls have ended.</summary>
internal sealed class SpanRecorder : IDisposable
{
    private const string TestSource = "Cluster.Glue.Tests";
    private static readonly ActivitySource Source = new(TestSource);

    private readonly List<Activity> _spans = [];
    private readonly TracerProvider _provider;

    public SpanRecorder()
    {
        _provider = Sdk.CreateTracerProviderBuilder()
            .AddSource("Cluster.Glue").AddSource(TestSource)
            .AddInMemoryExporter(_spans)
            .Build();
        Root = Source.StartActivity("test")!;
    }

    /// <summary>The activity in which the test makes its calls.</summary>
    public Activity Root { get; }

    public IReadOnlyList<Activity> All => [.. _spans];

    /// <summary>The spans of a method of <see cref="ITraced"/>.</summary>
    public IReadOnlyList<Activity> Of(string method) =>
        [.. All.Where(span => span.DisplayName == NameOf(method))];

    /// <summary>The only span of a method on one side.</summary>
    public Activity One(string method, ActivityKind kind) => Assert.Single(Of(method), span => span.Kind == kind);

    public static string NameOf(string method) => $"{typeof(ITraced)}/{method}";

    public void Dispose()
    {
        Root.Dispose();
        _provider.Dispose();
    }
}

// Spans and metrics of a node, sent to a collector by the OpenTelemetry protocol (OTLP). The environment variables of
// OpenTelemetry say where it is:
//
//   export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
//   dotnet run --project nodes/Samples/Telemetry
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;
using Telemetry;

var builder = Host.CreateApplicationBuilder(args);
builder.AddCluster(options => options.Name = "telemetry")
    .UseInMemoryStore()
    .AddState<string, int>("visits", state => state.AllowOperation<Visit>())
    .AddService<IVisits, Visits>()
    .AddClient<IVisits>();
builder.Services.AddOpenTelemetry()
    .ConfigureResource(static resource => resource.AddService("visits"))
    .WithTracing(static tracing => tracing
        .AddSource("Cluster.Glue", "Cluster.StateStore", "Cluster.Nodes")
        .AddOtlpExporter())
    .WithMetrics(static metrics => metrics
        .AddMeter("Cluster.Glue", "Cluster.StateStore", "Cluster.Nodes", "Cluster.Pile")
        .AddOtlpExporter());
using var host = builder.Build();
await host.StartAsync();

var visits = host.Services.GetRequiredService<IVisits>();
for (var visit = 0; visit < 10; visit++)
    Console.WriteLine($"Visit {await visits.CountAsync("page")}");

// The exporters send what they have when the host stops.
await host.StopAsync();

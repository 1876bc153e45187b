using Cluster.Nodes;
using Cluster.SystemTests.Host;
using Cluster.Testing.Faults;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// A plain node for tests that kill, pause and restart real processes. All settings come from the command line, such as
// --Cluster:NodeName=n1; "--folder" chooses the file store, and without it the node uses Consul.
var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { Args = args });
builder.Configuration.AddCommandLine(args);
builder.Logging
    .AddSimpleConsole(options => (options.SingleLine, options.TimestampFormat) = (true, "HH:mm:ss.fff "))
    .SetMinimumLevel(LogLevel.Information);

// The host would print the stack trace of a failed start. The message that is printed below is enough.
builder.Logging.AddFilter("Microsoft.Extensions.Hosting", LogLevel.None);
var cluster = builder.AddCluster();
if (builder.Configuration["folder"] is { } folder)
    cluster.UseFileStore(folder);
else
    cluster.UseConsul();
TestStates.AddTo(cluster);
if (builder.Configuration["relays"] is { } relays)
    PeerDetours.Add(builder.Services, PeerDetours.Parse(relays));
if (builder.Configuration["clock-rate"] is { } rate)
{
    var clock = new HostClock(int.Parse(rate, CultureInfo.InvariantCulture));
    builder.Services.AddSingleton(clock);
    builder.Services.AddSingleton<TimeProvider>(clock);
}

var protocol = builder.Configuration.GetValue<int?>("protocol");
var raiseAfter = builder.Configuration.GetValue<TimeSpan?>("raise-after");
SpokenProtocol.Set(builder.Services, protocol, raiseAfter);
if (builder.Configuration["endless-start"] is not null)
    builder.Services.AddHostedService<EndlessStart>();
try
{
    using var host = builder.Build();
    if (builder.Configuration["held"] is not null)
    {
        _ = host.Services.GetRequiredService<ICluster>();
        Console.WriteLine(HostLines.Held);
        while (Console.ReadLine() is { } line && line != HostLines.Join)
            continue;
    }

    await host.StartAsync();
    Console.WriteLine($"{HostLines.Self} {host.Services.GetRequiredService<ICluster>().Self.Incarnation}");
    Console.WriteLine("started");
    using var parent = new ParentWatch(
        host.Services.GetRequiredService<IHostApplicationLifetime>(), new HostCommands(host.Services));
    await host.WaitForShutdownAsync();
    Console.WriteLine("stopped");
    return Environment.ExitCode;
}
catch (ClusterStartException failure) when (builder.Configuration["uncaught"] is null)
{
    await Console.Error.WriteLineAsync(failure.Message);
    return (int)failure.ExitCode;
}

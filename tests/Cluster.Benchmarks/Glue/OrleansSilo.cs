using System.Net.Sockets;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>A process with a silo of Orleans, as it comes but for its ports. Prints the port for clients and runs until
/// its standard input ends.</summary>
public static class OrleansSilo
{
    /// <summary>The argument that starts this instead of a benchmark.</summary>
    public const string Argument = "--orleans-silo";

    /// <summary>Runs the silo.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the port.</param>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        var ports = FreePorts(2);
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.UseOrleans(silo => silo.UseLocalhostClustering(ports[0], ports[1]));
        using var host = builder.Build();
        await host.StartAsync();
        await output.WriteLineAsync(ports[1].ToString(CultureInfo.InvariantCulture));
        await output.FlushAsync();
        await input.ReadToEndAsync();
        await host.StopAsync();
        return 0;
    }

    private static int[] FreePorts(int count)
    {
        TcpListener[] listeners = [.. Enumerable.Range(0, count).Select(_ => new TcpListener(IPAddress.Loopback, 0))];
        foreach (var listener in listeners)
            listener.Start();
        int[] ports = [.. listeners.Select(listener => ((IPEndPoint)listener.LocalEndpoint).Port)];
        foreach (var listener in listeners)
            listener.Dispose();
        return ports;
    }
}

using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A process with one of several silos of Orleans, as it comes but for its ports. Prints a line when it
/// serves, and runs until its standard input ends.</summary>
public static class ValueSilo
{
    /// <summary>The argument that starts this instead of a benchmark; the ports of the silo, for clients and of the
    /// first silo follow.</summary>
    public const string Argument = "--value-silo";

    /// <summary>Runs the silo.</summary>
    /// <param name="ports">The port of the silo, its port for clients, and the port of the first silo.</param>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line.</param>
    public static async Task<int> RunAsync(string[] ports, TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        var numbers = Array.ConvertAll(ports, port => int.Parse(port, CultureInfo.InvariantCulture));
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.UseOrleans(silo => silo.UseLocalhostClustering(
            numbers[0], numbers[1], new IPEndPoint(IPAddress.Loopback, numbers[2])));
        var host = builder.Build();
        await host.StartAsync();
        await output.WriteLineAsync("serves");
        await output.FlushAsync();
        await input.ReadToEndAsync();

        // Not stopped: a stopping silo would move its work to the others first.
        return 0;
    }
}

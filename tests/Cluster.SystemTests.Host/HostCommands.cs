using Cluster.Testing.Faults;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.SystemTests.Host;

/// <summary>What a test asks of its node process by lines on standard input. Stateless.</summary>
/// <param name="services">The services of the host.</param>
internal sealed class HostCommands(IServiceProvider services)
{
    public void Obey(string line)
    {
        PoolStarvation.Obey(line);
        BlockedCollector.Obey(line);
        if (line.Split(' ') is [HostLines.Shift, var seconds])
        {
            services.GetRequiredService<HostClock>().Shift =
                TimeSpan.FromSeconds(int.Parse(seconds, CultureInfo.InvariantCulture));
            Console.WriteLine($"{HostLines.Shift} {seconds}");
        }

        if (line.Split(' ') is [HostLines.Digests, var number])
            Console.WriteLine($"{HostLines.Digests} {number} {ReplicaDigests.Read(services)}");
        if (line.Split(' ') is [HostLines.Copies, var question])
            Console.WriteLine($"{HostLines.Copies} {question} {CopyCounts.Read(services)}");
    }
}

using System.Text.RegularExpressions;
using Cluster.SystemTests.Host;
using Cluster.Testing;
using Cluster.Testing.Faults;

namespace Cluster.SystemTests.Faults;

/// <summary>One node of a scenario: its ports, its relay to Consul, and the processes that have run under its name.
/// Owned by the cluster of the scenario, and used by the test alone.</summary>
/// <param name="name">The name of the node.</param>
/// <param name="consul">The addresses of the Consul servers.</param>
/// <param name="hasOwnAgent">Whether it uses the first server alone, without a relay.</param>
internal sealed partial class FaultNode(string name, string[] consul, bool hasOwnAgent) : IAsyncDisposable
{
    private readonly List<ChildProcess> _ended = [];
    private int _questions;
    private Guid _incarnation;

    public string Name { get; } = name;

    /// <summary>Where it serves calls.</summary>
    public int Port { get; } = FreePorts.Next();

    /// <summary>Where its liveness endpoint is.</summary>
    public int LivenessPort { get; } = FreePorts.Next();

    /// <summary>The relay between this node and Consul.</summary>
    public HttpRelay Consul { get; } = new(consul);

    /// <summary>Where it finds Consul.</summary>
    public string ConsulAddress => hasOwnAgent ? consul[0] : Consul.Address;

    /// <summary>The newest process.</summary>
    public ChildProcess? Process { get; private set; }

    public bool IsRunning => Process is { HasExited: false };

    /// <summary>The incarnation of the newest process; empty before it has started.</summary>
    public Guid Incarnation => _incarnation != Guid.Empty ? _incarnation : _incarnation = FindIncarnation();

    /// <summary>The processor time that the newest process has used.</summary>
    public TimeSpan ProcessorTime
    {
        get
        {
            using var process = System.Diagnostics.Process.GetProcessById(Process!.Id);
            return process.TotalProcessorTime;
        }
    }

    /// <summary>All processes so far, the newest last.</summary>
    public IEnumerable<ChildProcess> Processes => Process is null ? _ended : _ended.Append(Process);

    /// <summary>The program that it runs when it is started the next time.</summary>
    public string Program { get; set; } = typeof(Counter).Assembly.Location;

    public void Start(IEnumerable<string> arguments)
    {
        if (Process is not null)
            _ended.Add(Process);
        _incarnation = Guid.Empty;
        Process = ChildProcess.StartDotnet(Program, arguments);
    }

    public Task WaitUntilStartedAsync(TimeSpan bound) => Process!.WaitForLineAsync(line => line == "started", bound);

    public async Task WriteAsync(string line)
    {
        await Process!.Input.WriteLineAsync(line);
        await Process.Input.FlushAsync();
    }

    /// <summary>Asks the process what its replicas contain.</summary>
    public async Task<IReadOnlyList<ReplicaContent>> ReadReplicasAsync(TimeSpan bound)
    {
        var beginning = $"{HostLines.Digests} {++_questions} ";
        await WriteAsync(beginning.TrimEnd());
        var line = await Process!.WaitForLineAsync(
            line => line.StartsWith(beginning, StringComparison.Ordinal), bound);
        return [.. line[beginning.Length..].Split(',', StringSplitOptions.RemoveEmptyEntries).Select(ReplicaContent.Parse)];
    }

    /// <summary>Asks the process how it has got its copies.</summary>
    public async Task<CopyCounts> ReadCopiesAsync(TimeSpan bound)
    {
        var beginning = $"{HostLines.Copies} {++_questions} ";
        await WriteAsync(beginning.TrimEnd());
        var line = await Process!.WaitForLineAsync(
            line => line.StartsWith(beginning, StringComparison.Ordinal), bound);
        return CopyCounts.Parse(line[beginning.Length..]);
    }

    /// <summary>The lines of all its processes that report an error.</summary>
    public IEnumerable<string> FindErrors() => Processes
        .SelectMany(process => process.Lines)
        .Where(line => Error().IsMatch(line))
        .Select(line => $"{Name}: {line}");

    public async ValueTask DisposeAsync()
    {
        foreach (var process in Processes)
            await process.DisposeAsync();
        await Consul.DisposeAsync();
    }

    private Guid FindIncarnation() => Process?.Lines
        .Where(line => line.StartsWith(HostLines.Self + " ", StringComparison.Ordinal))
        .Select(line => Guid.Parse(line.AsSpan(HostLines.Self.Length + 1)))
        .FirstOrDefault() ?? Guid.Empty;

    [GeneratedRegex(@"^[\d:.]* ?(fail|crit): |^Unhandled exception|^Process terminated")]
    private static partial Regex Error();
}

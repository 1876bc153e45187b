using System.Diagnostics.Metrics;

namespace Cluster.StateStore.Hosting;

/// <summary>How long and how often a process tries to reach the owner of a key. Read once, when the router is
/// made.</summary>
public sealed class StateRouterOptions
{
    /// <summary>How long an operation looks for an owner that answers before it ends with
    /// <see cref="StateUnavailableException"/>. The first call is bounded by the transport, each later one by what is
    /// left of this time; a write whose call is ended by that may have been carried out.</summary>
    /// <value>10 s.</value>
    public TimeSpan Deadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The first wait between two attempts; later ones double up to <see cref="MaxBackOff"/>.</summary>
    /// <value>10 ms.</value>
    public TimeSpan MinBackOff { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>The longest wait between two attempts. A newer table ends any wait at once.</summary>
    /// <value>500 ms.</value>
    public TimeSpan MaxBackOff { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>What becomes of operations whose owner has not been heard for 1.5 s. A process that is no node hears
    /// nobody, and its operations never wait for that reason.</summary>
    /// <value>They wait.</value>
    public WhenSuspected WhenSuspected { get; set; }

    /// <summary>The clock of deadlines and waits.</summary>
    /// <value>The system's.</value>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>The source of the meter <c>Cluster.StateStore</c>, which
    /// measures the operations of this process.</summary>
    /// <value>Null: a meter of the process.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Seeds the jitter of the waits.</summary>
    /// <value>0.</value>
    public int Seed { get; set; }
}

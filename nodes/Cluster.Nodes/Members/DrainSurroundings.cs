using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

/// <summary>Clock and log of <see cref="NodeDrain"/>. Immutable.</summary>
internal sealed record DrainSurroundings(TimeProvider Time, ILogger<NodeDrain> Logger);

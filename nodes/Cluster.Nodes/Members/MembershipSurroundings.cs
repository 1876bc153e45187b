using Cluster.Nodes.Stores;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

/// <summary>What <see cref="Membership"/> needs beside its partners: store, clock, log. Immutable.</summary>
internal sealed record MembershipSurroundings(
    IClusterStore Store, TimeProvider Time, ILogger<Membership> Logger);

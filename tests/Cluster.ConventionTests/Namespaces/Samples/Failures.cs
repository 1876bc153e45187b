using Cluster.Contracts;
using Cluster.StateStore;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Tells the failures of calls and states apart.</summary>
internal static class Failures
{
    public static bool MayRepeat(Exception failure) => failure switch
    {
        GlueException call => call.Delivery == GlueDelivery.NotDelivered,
        StateOutcomeUnknownException => false,
        _ => failure is StateException,
    };
}

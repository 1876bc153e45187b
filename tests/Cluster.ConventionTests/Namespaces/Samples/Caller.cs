using Cluster.Glue;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Calls a contract at an address.</summary>
internal static class Caller
{
    public static TContract Call<TContract>(GlueClient client, string address)
        where TContract : class => client.CreateProxy<TContract>(address);
}

using Cluster.Glue;
using Cluster.Glue.Tls;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Makes the options of a client that shows a certificate.</summary>
internal static class Certificates
{
    public static GlueClientOptions Create(string certificate, string key) => new()
    {
        Tls = new GlueTlsOptions { CertificateFile = certificate, KeyFile = key },
    };
}

using System.Security.Cryptography.X509Certificates;
using Cluster.Benchmarks.Harness;
using Cluster.Glue;
using Cluster.Glue.Tls;

namespace Cluster.Benchmarks.Glue;

/// <summary>The small call over an encrypted link against the same over a plain one. Stateless.</summary>
internal static class TlsRows
{
    private const int Callers = 256;

    public static void Run(BenchmarkRun run, PeerProcess peer, IPeerService link)
    {
        if (!run.Wants("tls.256"))
            return;
        var tls = new GlueTlsOptions();
        tls.Authorities.Add(X509CertificateLoader.LoadCertificate(Convert.FromBase64String(peer.Authority)));
        var encrypted =
            GlueClient.Connect<IPeerService>(peer.TlsAddress, new GlueClientOptions { Tls = tls });
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 0.5 : 10),
            count => CallLoad.RunAsync(Callers, count, () => encrypted.AddAsync(1, 2)));
        var race = Race.Run(
            run.Share(),
            CallLoad.Callers("plain", Callers, () => link.AddAsync(1, 2)),
            CallLoad.Callers("tls", Callers, () => encrypted.AddAsync(1, 2)));
        run.Report("tls.256", race.RateRatio("tls", "plain"));
    }
}

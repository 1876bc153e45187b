using Cluster.Glue.Tls;

namespace Cluster.Glue.Settings;

/// <summary>The rules of TLS options. Pure.</summary>
internal static class TlsRules
{
    public static bool HasCertificate(GlueTlsOptions? options) =>
        options is { Certificate: not null } or { CertificateSelector: not null } or { CertificateFile: not null };

    public static IEnumerable<string> ProblemsOf(string path, GlueTlsOptions? options)
    {
        if (options is null)
            yield break;
        var ways = (options.Certificate is null ? 0 : 1) + (options.CertificateSelector is null ? 0 : 1)
            + (options.CertificateFile is null ? 0 : 1);
        if (ways > 1)
        {
            yield return $"{path} gives a certificate in {ways} ways; use one of Certificate, CertificateSelector and "
                + "CertificateFile.";
        }

        if (options is { KeyFile: not null, CertificateFile: null })
            yield return $"{path}:KeyFile is set without {path}:CertificateFile; set both.";
        if (options.Authorities.Count > 0 && options.AuthorityFile is not null)
            yield return $"{path} has Authorities and an AuthorityFile; use one of them.";
        var isForEverybody = options.Authorities.Count == 0 && options.AuthorityFile is null;
        if (options.ClientCertificate != GlueClientCertificate.None && isForEverybody)
        {
            yield return $"{path}:ClientCertificate is {options.ClientCertificate} without {path}:AuthorityFile: "
                + "everybody with a certificate of any authority that this machine knows would be trusted. Set "
                + $"{path}:AuthorityFile to a PEM file of the authority of your clients.";
        }

        var mapsRoles = options.Roles.Count > 0 || options.RoleSelector is not null;
        if (mapsRoles && options.ClientCertificate == GlueClientCertificate.None)
        {
            yield return $"{path} gives roles to certificates and {path}:ClientCertificate is None: nobody would be "
                + "asked for one. Set it to Required or Optional.";
        }

        for (var i = 0; i < options.Roles.Count; i++)
        {
            if (options.Roles[i] is { Role.Length: > 0 } rule && (rule.Name ?? rule.Uri ?? rule.Authority) is not null)
                continue;
            yield return $"{path}:Roles:{i} needs a Role and one of Name, Uri and Authority, so that not everybody has "
                + "it.";
        }

        foreach (var problem in OptionRange.Check($"{path}:ClientCertificate", options.ClientCertificate)
            .Concat(OptionRange.Check(
                $"{path}:ReloadInterval", options.ReloadInterval, TimeSpan.FromSeconds(1), TimeSpan.FromDays(1))))
            yield return problem;
    }
}

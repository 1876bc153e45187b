using System.Formats.Asn1;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Authorization;

/// <summary>The names in a certificate. Immutable.</summary>
/// <param name="Common">The common name of its subject; null: it has none.</param>
/// <param name="Dns">Its DNS names.</param>
/// <param name="Uris">Its URIs.</param>
internal sealed record CertificateNames(string? Common, string[] Dns, string[] Uris)
{
    private static readonly Asn1Tag UriTag = new(TagClass.ContextSpecific, 6);

    /// <summary>The name of the user.</summary>
    public string? First => Dns.FirstOrDefault() ?? Common ?? Uris.FirstOrDefault();

    public static CertificateNames Of(X509Certificate2 certificate)
    {
        var common = certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false);
        var more =
            certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault();
        return new CertificateNames(
            HasCommonName(certificate.SubjectName) ? common : null,
            more is null ? [] : [.. more.EnumerateDnsNames()],
            more is null ? [] : UrisOf(more.RawData));
    }

    private static bool HasCommonName(X500DistinguishedName subject) =>
        subject.EnumerateRelativeDistinguishedNames().Any(
            static part => !part.HasMultipleElements && part.GetSingleElementType().Value == "2.5.4.3");

    private static string[] UrisOf(byte[] extension)
    {
        List<string> uris = [];
        var names = new AsnReader(extension, AsnEncodingRules.DER).ReadSequence();
        while (names.HasData)
        {
            if (names.PeekTag().HasSameClassAndValue(UriTag))
                uris.Add(names.ReadCharacterString(UniversalTagNumber.IA5String, UriTag));
            else
                names.ReadEncodedValue();
        }

        return [.. uris];
    }
}

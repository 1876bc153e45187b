using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tls;

namespace TwoMachines;

/// <summary>Writes the certificates that this sample uses. In production, they come from the authority of your
/// organization.</summary>
internal static class CertificateFiles
{
    /// <summary>The file of the authority, which every machine needs.</summary>
    public const string Authority = "authority.pem";

    /// <summary>The file with the certificate and the private key of a machine. No other machine needs it.</summary>
    public static string Of(string machine) => $"{machine}.pem";

    /// <summary>Makes an authority and a certificate for each machine. The key of the authority is not kept, so
    /// nobody can make further certificates later.</summary>
    /// <param name="folder">Where the files go.</param>
    /// <param name="machines">The names or addresses under which nodes reach each other.</param>
    public static async Task WriteAsync(string folder, string[] machines)
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        Directory.CreateDirectory(folder);
        await WriteAsync(Path.Combine(folder, Authority), authority.Authority.ExportCertificatePem());
        foreach (var machine in machines)
        {
            using var certificate = authority.Create(machine);
            using var key = certificate.GetECDsaPrivateKey()!;
            await WriteAsync(
                Path.Combine(folder, Of(machine)),
                $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
        }
    }

    // A private key is for its owner alone.
    private static async Task WriteAsync(string path, string text)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        await using var writer = new StreamWriter(path, options);
        await writer.WriteAsync(text);
        Console.WriteLine(path);
    }
}

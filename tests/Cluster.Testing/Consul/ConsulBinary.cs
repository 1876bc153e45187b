namespace Cluster.Testing.Consul;

/// <summary>Finds the Consul program that tests start. Stateless.</summary>
public static class ConsulBinary
{
    /// <summary>The environment variable with the path of the program, if it is not on the path.</summary>
    public const string Variable = "CONSUL_BIN";

    /// <summary>The reason why no Consul can be started; <c>null</c> if one can.</summary>
    public static string? Missing => Find() is null
        ? $"needs the program 'consul' on PATH or in {Variable}; deploy/get-consul.sh fetches it"
        : null;

    /// <summary>The program's full path; <c>null</c> if the program is missing.</summary>
    public static string? Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named)
            return File.Exists(named) ? named : null;
        var folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        var name = OperatingSystem.IsWindows() ? "consul.exe" : "consul";
        return folders.Where(folder => folder.Length > 0).Select(folder => Path.Combine(folder, name)).FirstOrDefault(File.Exists);
    }
}

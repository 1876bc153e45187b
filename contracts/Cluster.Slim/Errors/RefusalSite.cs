namespace Cluster.Slim.Errors;

/// <summary>The line of this library that refused a message or a type. It identifies the rule: tests count refusals by
/// it, and find rules that no test breaks. The compiler fills it in at the call that makes the exception; without an
/// exception it costs nothing.</summary>
/// <param name="File">The name of the source file, without its folder.</param>
/// <param name="Line">The line in the file.</param>
internal readonly record struct RefusalSite(string File, int Line)
{
    public static RefusalSite Of(string path, int line) => new(Path.GetFileName(path.Replace('\\', '/')), line);

    public override string ToString() => $"{File}:{Line}";
}

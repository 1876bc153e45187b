namespace Cluster.Slim.Errors;

/// <summary>The place in this library that refused something: the identity of the rule, by which tests count refusals
/// and find rules that nothing ever breaks. The compiler fills it in where the exception is made; it costs nothing
/// before.</summary>
/// <param name="File">The name of the source file, without its folder.</param>
/// <param name="Line">The line in it.</param>
internal readonly record struct RefusalSite(string File, int Line)
{
    public static RefusalSite Of(string path, int line) => new(Path.GetFileName(path.Replace('\\', '/')), line);

    public override string ToString() => $"{File}:{Line}";
}

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>What every exception can be told after its constructor has run.</summary>
/// <param name="Source">Who threw it.</param>
/// <param name="HelpLink">Where help is.</param>
/// <param name="Stack">The text of its stack.</param>
/// <param name="Result">Its result code.</param>
internal sealed record ExceptionSettings(string? Source, string? HelpLink, string? Stack, int Result)
{
    public void Apply(Exception exception)
    {
        exception.HResult = Result;
        exception.HelpLink = HelpLink;
        exception.Source = Source;
        RemoteStack.Set(exception, Stack);
    }
}

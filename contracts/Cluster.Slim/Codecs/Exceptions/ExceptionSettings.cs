namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Holds the properties of an exception that are set after its constructor has run.</summary>
/// <param name="Source">The name of the program or object that threw the exception.</param>
/// <param name="HelpLink">The link to a help text.</param>
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

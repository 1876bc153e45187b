namespace Cluster.Glue.Tests.Semantics.Exceptions;

public sealed class ExceptionsOverLinkTests() : ExceptionSemanticTests(SemanticBinding.Link());

public sealed class ExceptionsOverUnaryTests() : ExceptionSemanticTests(SemanticBinding.Unary());

public sealed class ExceptionsInProcessTests() : ExceptionSemanticTests(SemanticBinding.InProcess());

public sealed class ExceptionsInProcessSerializedTests()
    : ExceptionSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class ExceptionsOverUnixSocketTests() : ExceptionSemanticTests(SemanticBinding.UnixSocket());

public sealed class ExceptionsOverMutualTlsTests() : ExceptionSemanticTests(SemanticBinding.MutualTls());

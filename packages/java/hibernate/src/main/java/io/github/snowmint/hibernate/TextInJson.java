package io.github.snowmint.hibernate;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes Jackson write a number as a string, because JavaScript rounds numbers above 2^53. It stands
 * between the public annotations and {@code JsonFormat}, so that compilers without Jackson do not
 * warn of its missing constants.
 */
@JacksonAnnotationsInside
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
@interface TextInJson {}
